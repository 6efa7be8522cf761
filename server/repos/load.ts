import {
  type Allowed,
  maySeeRepository,
  type RepositoryAccess,
  repositoryAccess,
  repositoryAccesses,
  subjectOf,
} from '@/server/access'
import { allow } from '@/server/access/allowed'
import { type Account, findAccountById, findAccountByName, findRenamedAccount } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type DomainError, deleted, moved, movedAway } from '@/server/kernel/errors'
import { selectAccounts } from '@/server/users'
import { type RepositoryNeed, requireNeed } from './policy'
import type { RepoPath } from './schema'
import {
  findRenamedRepository,
  findRepositoryAndOwner,
  findRepositoryAndOwnerById,
  findRepositoryByName,
  type RepositoryRow,
  selectRepositories,
} from './store'

/** A repository that the caller can see, with its owner and the caller's access to it. */
export interface RepositoryWithAccess {
  repository: RepositoryRow
  owner: Account
  access: RepositoryAccess
}

/** A repository loaded for a caller who has the required permission on it. */
export type RepositoryFor<Need extends RepositoryNeed> = Allowed<RepositoryWithAccess, Need>

/**
 * Loads a repository by owner and name, for a caller with the required permission. Treats a repository that
 * the caller cannot see as missing.
 * @throws {DomainError} notFound; moved after a rename of the repository or its owner; forbidden without the
 * permission.
 */
export async function loadRepository<const Need extends RepositoryNeed>(
  ctx: ServiceCtx,
  path: RepoPath,
  need: Need,
): Promise<RepositoryFor<Need>> {
  const found = await getRepository(ctx, path)
  requireNeed(found, need)
  return allow(found)
}

/**
 * Loads a repository by its ID, for a caller with the required permission.
 * @throws {DomainError} notFound; forbidden without the permission.
 */
export async function loadRepositoryById<const Need extends RepositoryNeed>(
  ctx: ServiceCtx,
  id: number,
  need: Need,
): Promise<RepositoryFor<Need>> {
  const found = await getRepositoryById(ctx, id)
  requireNeed(found, need)
  return allow(found)
}

/**
 * Loads repositories by their IDs, for a caller with the required permission on all of them. Leaves out
 * repositories that the caller cannot see.
 * @throws {DomainError} forbidden if the permission is missing on one of them.
 */
export async function loadRepositories<const Need extends RepositoryNeed>(
  ctx: ServiceCtx,
  ids: readonly number[],
  need: Need,
): Promise<RepositoryFor<Need>[]> {
  const rows = await selectRepositories(ctx.db, ids)
  const found = await withAccess(ctx, [...rows.values()])
  const visible = found.filter(({ access }) => maySeeRepository(access))
  for (const one of visible) requireNeed(one, need)
  return visible.map(one => allow(one))
}

/**
 * Finds a repository by owner and name, for anyone who can see it.
 * @throws {DomainError} notFound; moved after a rename of the repository or its owner.
 */
export async function getRepository(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const { pageReads } = ctx
  if (!pageReads) return await findVisible(ctx, path)
  const key = `repository ${path.owner}/${path.repo}`
  const found = (pageReads.get(key) as Promise<RepositoryWithAccess>) ?? findVisible(ctx, path)
  pageReads.set(key, found)
  return await found
}

async function findVisible(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const found = await findRepositoryAndOwner(ctx.db, path)
  if (found) return await repositoryWithAccess(ctx, found.repository, found.owner)
  const owner = await findAccountByName(ctx.db, path.owner)
  throw owner ? await renamedOrAbsent(ctx, owner, path.repo) : await ownerRenamedOrAbsent(ctx, path)
}

/**
 * Finds a repository by its ID, for anyone who can see it.
 * @throws {DomainError} notFound.
 */
export async function getRepositoryById(ctx: ServiceCtx, id: number): Promise<RepositoryWithAccess> {
  const found = await findRepositoryAndOwnerById(ctx.db, id)
  if (!found) throw deleted('repository')
  return await repositoryWithAccess(ctx, found.repository, found.owner)
}

/**
 * Adds the caller's access to a repository row that is already loaded.
 * @throws {DomainError} notFound if the caller cannot see the repository.
 */
export async function repositoryWithAccess(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  owner: Account,
): Promise<RepositoryWithAccess> {
  const access = await repositoryAccess(ctx.db, subjectOf(ctx.caller), { ...repository, owner })
  if (!maySeeRepository(access)) throw deleted('repository')
  return { repository, owner, access }
}

/**
 * Adds the owner and the caller's access to each of these repository rows, in the same order, with at most
 * three queries in total. Owners in `loaded` are not loaded again.
 */
export async function withAccess(
  ctx: ServiceCtx,
  repositories: readonly RepositoryRow[],
  loaded: readonly Account[] = [],
): Promise<RepositoryWithAccess[]> {
  const owners = new Map(loaded.map(owner => [owner.id, owner]))
  const others = repositories.flatMap(({ owner_id }) => (owners.has(owner_id) ? [] : owner_id))
  for (const [id, owner] of await selectAccounts(ctx.db, others)) owners.set(id, owner)
  const known = repositories.flatMap(repository => {
    const owner = owners.get(repository.owner_id)
    return owner ? [{ repository, owner }] : []
  })
  const accesses = await repositoryAccesses(
    ctx.db,
    subjectOf(ctx.caller),
    known.map(({ repository, owner }) => ({ ...repository, owner })),
  )
  return known.map((one, index) => ({ ...one, access: accesses[index] as RepositoryAccess }))
}

// Only callers who can see the repository learn its new name.
async function ownerRenamedOrAbsent(ctx: ServiceCtx, path: RepoPath): Promise<DomainError> {
  const owner = await findRenamedAccount(ctx.db, path.owner)
  if (!owner) return deleted('repository')
  // If the repository was renamed too, the next request is redirected again.
  const repository =
    (await findRepositoryByName(ctx.db, owner.id, path.repo)) ??
    (await findRenamedRepository(ctx.db, owner.id, path.repo))
  if (!repository) return deleted('repository')
  if (repository.owner_id !== owner.id) return await movedOrDeleted(ctx, repository)
  await repositoryWithAccess(ctx, repository, owner)
  return moved('owner', owner.name)
}

async function renamedOrAbsent(ctx: ServiceCtx, owner: Account, name: string): Promise<DomainError> {
  const repository = await findRenamedRepository(ctx.db, owner.id, name)
  if (!repository) return deleted('repository')
  if (repository.owner_id !== owner.id) return await movedOrDeleted(ctx, repository)
  await repositoryWithAccess(ctx, repository, owner)
  return moved('repo', repository.name, true)
}

async function movedOrDeleted(ctx: ServiceCtx, repository: RepositoryRow): Promise<DomainError> {
  const owner = await findAccountById(ctx.db, repository.owner_id)
  if (!owner) return deleted('repository')
  await repositoryWithAccess(ctx, repository, owner)
  return movedAway(owner.name, repository.name)
}
