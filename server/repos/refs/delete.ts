import type { ActingCtx } from '@/server/kernel/ctx'
import { conflict, type DomainError, deleted, forbidden, locked } from '@/server/kernel/errors'
import { diskTroubleOf } from '@/server/kernel/fs/disk-trouble'
import { GitError } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { loadRepositoryById, type RepositoryFor } from '../load'
import { writeCode } from '../policy'
import { updateRefs } from '../push'
import { findRefs, repositoryPath } from '../storage'
import { findRepositoryById, type RepositoryRow } from '../store'
import { inRefQueue } from './ref-queue'
import type { DeletedRef, DeleteRefsInput } from './schema'
import { selectReleasedAmong } from './store'

type RefsToDelete = Pick<DeleteRefsInput, 'kind' | 'names' | 'expected'>

const kinds = { branch: 'heads', tag: 'tags' } as const

/**
 * Deletes branches or tags, either all or none, and records this like a push by the caller. Returns the name
 * and the last object ID of each deleted ref. Ignores refs that do not exist, unless none exist.
 * @throws {DomainError} notFound if none of the refs exist or the repository is deleted concurrently;
 * forbidden without write access to the code, and for the default branch; locked if the repository is
 * archived; conflict for a tag with a release, and for a ref that does not point to the expected object or is
 * moved concurrently; tooManyRequests if Git is overloaded.
 */
export async function deleteRefs(
  ctx: ActingCtx,
  { repository: { id } }: RepositoryFor<typeof writeCode>,
  wanted: RefsToDelete,
): Promise<DeletedRef[]> {
  return await inRefQueue(id, () => withGitSlot(ctx, () => remove(ctx, id, wanted)))
}

async function remove(ctx: ActingCtx, id: number, wanted: RefsToDelete): Promise<DeletedRef[]> {
  const { kind } = wanted
  // The caller can have lost access while waiting in the queue.
  const refs = await lookUp(ctx, await loadChangeable(ctx, id), wanted)
  if (refs.length === 0) throw deleted(kind)
  // The repository can have changed while Git read the refs, also through other processes.
  const repository = await loadChangeable(ctx, id)
  await requireDeletable(ctx, repository, wanted)
  const updates = refs.map(({ ref, sha }) => ({ ref, before: sha, after: '0'.repeat(sha.length) }))
  try {
    await updateRefs(ctx, repository, updates)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    // If the repository was deleted, Git reports the same error as for an unavailable disk.
    if (!(await findRepositoryById(ctx.db, repository.id))) throw deleted('repository')
    if (diskTroubleOf(error)) throw error
    const [, name] = /cannot lock ref 'refs\/(?:heads|tags)\/([^']+)'/.exec(error.stderr) ?? []
    throw name === undefined ? error : moved(name, error)
  }
  return refs.map(({ name, sha }) => ({ name, sha }))
}

interface FoundRef extends DeletedRef {
  ref: string
}

async function loadChangeable(ctx: ActingCtx, id: number): Promise<RepositoryRow> {
  const { repository, owner } = await loadRepositoryById(ctx, id, writeCode)
  if (repository.archived_at) {
    throw locked(`${owner.name}/${repository.name} is archived`, { reason: { code: 'archived' } })
  }
  return repository
}

// An empty repository has never been pushed to, so Git is not needed.
async function lookUp(
  { config }: ActingCtx,
  { is_empty, storage_key }: RepositoryRow,
  { kind, names, expected }: RefsToDelete,
): Promise<FoundRef[]> {
  if (is_empty) return []
  const found = await findRefs(repositoryPath(config, storage_key), kinds[kind], names)
  for (const [index, name] of names.entries()) {
    const sha = found.get(name)?.id
    if (expected && sha && sha !== expected[index]) throw moved(name)
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

const moved = (name: string, cause?: unknown): DomainError =>
  conflict(`${name} was moved in the meantime: nothing was deleted`, {
    reason: { code: 'refMoved', name },
    cause,
  })
