import type { ActingCtx } from '@/server/kernel/ctx'
import { conflict, deleted, forbidden } from '@/server/kernel/errors'
import type { RepositoryFor } from '../load'
import type { writeCode } from '../policy'
import { findRefs } from '../storage'
import type { RepositoryRow } from '../store'
import { changeRefs, refMoved } from './change'
import type { DeletedRef, DeleteRefsInput } from './schema'
import { selectReleasedAmong } from './store'

type RefsToDelete = Pick<DeleteRefsInput, 'kind' | 'names' | 'expected'>

const kinds = { branch: 'heads', tag: 'tags' } as const

/**
 * Deletes branches or tags, either all or none, and records this like a push by the caller. Returns the name
 * and the last object ID of each deleted ref. Ignores refs that do not exist, unless none exist.
 * @throws {DomainError} notFound if none of the refs exist; forbidden for the default branch; conflict for a tag with a
 * release, and for a ref that does not point to the expected object; also the errors of `changeRefs`.
 */
export async function deleteRefs(
  ctx: ActingCtx,
  { repository: { id } }: RepositoryFor<typeof writeCode>,
  wanted: RefsToDelete,
): Promise<DeletedRef[]> {
  return await changeRefs(ctx, id, async ({ repository }, git) => {
    const refs = await lookUp(git, repository, wanted)
    if (refs.length === 0) throw deleted(wanted.kind)
    return {
      updates: refs.map(({ ref, sha }) => ({ ref, before: sha, after: '0'.repeat(sha.length) })),
      check: ({ repository: current }) => requireDeletable(ctx, current, wanted),
      result: refs.map(({ name, sha }) => ({ name, sha })),
    }
  })
}

interface FoundRef extends DeletedRef {
  ref: string
}

// An empty repository has never been pushed to, so Git is not needed.
async function lookUp(
  git: string,
  { is_empty }: RepositoryRow,
  { kind, names, expected }: RefsToDelete,
): Promise<FoundRef[]> {
  if (is_empty) return []
  const found = await findRefs(git, kinds[kind], names)
  for (const [index, name] of names.entries()) {
    const sha = found.get(name)?.id
    if (expected && sha && sha !== expected[index]) throw refMoved(name)
  }
  return [...found].map(([name, { ref, id }]) => ({ name, ref, sha: id }))
}

async function requireDeletable(
  { db }: ActingCtx,
  { id, default_branch: name }: RepositoryRow,
  { kind, names }: RefsToDelete,
): Promise<void> {
  if (kind === 'branch') {
    if (!names.includes(name)) return
    throw forbidden('can not delete default branch', { reason: { code: 'defaultBranchStays', name } })
  }
  const released = await selectReleasedAmong(db, id, { tags: names, withDrafts: true })
  const tag = names.find(each => released.has(each))
  if (tag === undefined) return
  throw conflict('a tag attached to a release cannot be deleted directly', {
    reason: { code: 'releasedTagStays', name: tag },
  })
}
