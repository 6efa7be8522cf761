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
  findRepositoryById,
  findRepositoryByName,
  type RepositoryRow,
  selectRepositories,
} from './store'

/** A repository the caller may see, and what they may do with it. */
export interface RepositoryWithAccess {
  repository: RepositoryRow
  owner: Account
  access: RepositoryAccess
}

/** A repository loaded for a caller who has this need on it. */
export type RepositoryFor<Need extends RepositoryNeed> = Allowed<RepositoryWithAccess, Need>

/**
 * Loads a repository by its owner's name and its own, for a caller with this need. One the caller may not see does not
 * exist for them.
 * @throws {DomainError} notFound, moved after a rename of either, forbidden without the need.
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
 * Loads a repository by its id, for a caller with this need.
 * @throws {DomainError} notFound, forbidden without the need.
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
 * Loads repositories by their ids, for a caller with this need on all of them. Those the caller may not see are absent.
 * @throws {DomainError} forbidden without the need on one of them.
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
 * Finds a repository by its owner's name and its own, for everybody who may see it.
 * @throws {DomainError} notFound, moved after a rename of either.
 */
export async function getRepository(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const owner = await findAccountByName(ctx.db, path.owner)
  if (!owner) throw await ownerRenamedOrAbsent(ctx, path)
  const repository = await findRepositoryByName(ctx.db, owner.id, path.repo)
  if (!repository) throw await renamedOrAbsent(ctx, owner, path.repo)
  return await repositoryWithAccess(ctx, repository, owner)
}

/**
 * Finds a repository by its id, for everybody who may see it.
 * @throws {DomainError} notFound.
 */
export async function getRepositoryById(ctx: ServiceCtx, id: number): Promise<RepositoryWithAccess> {
  const repository = await findRepositoryById(ctx.db, id)
  const owner = repository && (await findAccountById(ctx.db, repository.owner_id))
  if (!repository || !owner) throw deleted('repository')
  return await repositoryWithAccess(ctx, repository, owner)
}

/**
 * Adds what the caller may do to a row that was read before.
 * @throws {DomainError} notFound when the caller may not know of the repository.
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

/** Adds its owner and what the caller may do to each of these rows, in their order, with three queries for all of them. */
export async function withAccess(
  ctx: ServiceCtx,
  repositories: readonly RepositoryRow[],
): Promise<RepositoryWithAccess[]> {
  const owners = await selectAccounts(
    ctx.db,
    repositories.map(repository => repository.owner_id),
  )
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

// Only those who may see the repository learn its new name.
async function ownerRenamedOrAbsent(ctx: ServiceCtx, path: RepoPath): Promise<DomainError> {
  const owner = await findRenamedAccount(ctx.db, path.owner)
  if (!owner) return deleted('repository')
  // The repository may be renamed too: the next request is redirected for that.
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
