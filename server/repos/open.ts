import { pushRefusal } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden, isDomainError, notFound } from '@/server/kernel/errors'
import { getRepository, type RepositoryWithAccess } from './load'
import { mayReadCode, readCode, refusalOfJob, writeCode } from './policy'
import { requireRecordable } from './push/require-recordable'

export interface RepositoryNames {
  owner: string
  repo: string
}

/** A repository that the caller can fetch from or push to. */
export interface OpenedRepository {
  seen: RepositoryWithAccess
  /** Whether it was found by a former name of the repository or its owner. */
  wasRenamed: boolean
}

// Resolving a renamed repository of a renamed owner takes two steps. The limit stops cycles.
const maxRedirects = 4

/**
 * Resolves a repository for a fetch, by a current or former name.
 * @throws {DomainError} notFound; forbidden if the caller cannot read the code; unavailable unless the
 * repository directory is confirmed to belong to this site.
 */
export async function openForFetch(ctx: ServiceCtx, names: RepositoryNames): Promise<OpenedRepository> {
  const opened = await findThroughRenames(ctx, names)
  if (!mayReadCode(opened.seen)) {
    const { ofJob } = opened.seen.access
    throw ofJob
      ? refusalOfJob(ofJob, readCode)
      : forbidden('You do not have read access to the code of this repository.')
  }
  await ctx.ownLocations.requireRepositories()
  return opened
}

/**
 * Resolves a repository for a push, by a current or former name.
 * @throws {DomainError} notFound; forbidden if the caller cannot write or the repository is archived; also
 * the errors of `requireRecordable`.
 */
export async function openForPush(ctx: ServiceCtx, names: RepositoryNames): Promise<OpenedRepository> {
  const opened = await findThroughRenames(ctx, names)
  const refusal = pushRefusal(opened.seen)
  if (refusal === 'archived') {
    throw forbidden('This repository is archived: nothing can be pushed to it until it is unarchived.')
  }
  if (refusal && ctx.caller.kind === 'deployKey' && mayReadCode(opened.seen)) {
    throw forbidden('This deploy key is read-only. To push, use one with write access to the repository.')
  }
  const { ofJob } = opened.seen.access
  if (refusal && ofJob) throw refusalOfJob(ofJob, writeCode)
  if (refusal) {
    const readable = mayReadCode(opened.seen)
    throw forbidden(`You can ${readable ? 'read' : 'see'} this repository but cannot push to it.`)
  }
  await requireRecordable(ctx)
  return opened
}

async function findThroughRenames(ctx: ServiceCtx, names: RepositoryNames): Promise<OpenedRepository> {
  let current = names
  for (let step = 0; step < maxRedirects; step++) {
    try {
      const seen = await getRepository(ctx, current)
      return { seen, wasRenamed: current !== names }
    } catch (error) {
      if (!isDomainError(error) || !error.movedTo || !error.field) throw error
      const { name, repo = current.repo } = error.movedTo
      current = { ...current, repo, [error.field]: name }
    }
  }
  throw notFound()
}
