import { pushRefusal } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden, isDomainError, notFound } from '@/server/kernel/errors'
import { getRepository, type RepositoryWithAccess } from './load'
import { mayReadCode } from './policy'
import { requireRecordable } from './push/require-recordable'

export interface RepositoryNames {
  owner: string
  repo: string
}

/** A repository that may be fetched from or pushed to. */
export interface OpenedRepository {
  seen: RepositoryWithAccess
  /** It was found by a former name of its own or its owner's. */
  wasRenamed: boolean
}

// An owner renamed after the repository was: two steps. More would be a circle.
const maxRedirects = 4

/**
 * Resolves a repository for a fetch, also by a former name.
 * @throws {DomainError} notFound; forbidden when the caller cannot read the code; unavailable while the repository directory is
 * not that of this site.
 */
export async function openForFetch(ctx: ServiceCtx, names: RepositoryNames): Promise<OpenedRepository> {
  const opened = await findThroughRenames(ctx, names)
  if (!mayReadCode(opened.seen)) throw forbidden('You may not read the code of this repository.')
  await ctx.ownLocations.requireRepositories()
  return opened
}

/**
 * Resolves a repository for a push, also by a former name.
 * @throws {DomainError} notFound; forbidden when the caller cannot write or the repository is archived; and what
 * `requireRecordable` throws.
 */
export async function openForPush(ctx: ServiceCtx, names: RepositoryNames): Promise<OpenedRepository> {
  const opened = await findThroughRenames(ctx, names)
  const refusal = pushRefusal(opened.seen)
  if (refusal === 'archived') {
    throw forbidden('This repository is archived: nothing can be pushed to it until it is unarchived.')
  }
  if (refusal && ctx.caller.kind === 'deployKey' && mayReadCode(opened.seen)) {
    throw forbidden('This deploy key may only read. To push, add one with write access to the repository.')
  }
  if (refusal) {
    const readable = mayReadCode(opened.seen)
    throw forbidden(`You may ${readable ? 'read' : 'see'} this repository but not push to it.`)
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
