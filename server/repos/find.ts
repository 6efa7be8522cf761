import { maySeeRepository, type RepositoryAccess, repositoryAccess, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import { findAccountById, findAccountByName } from '@/server/kernel/auth/find-account'
import { findRenamedAccount } from '@/server/kernel/auth/find-redirect'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { DomainError, gone } from '@/server/kernel/errors'
import { findRenamedRepository, findRepositoryById, findRepositoryByName, type RepositoryRow } from './store'

/** A repository the caller may see, and what they may do with it. */
export interface RepositoryWithAccess {
  repository: RepositoryRow
  owner: Account
  access: RepositoryAccess
}

/**
 * Finds a repository by its owner's name and its own. One the caller may not see does not exist for them.
 * Throws notFound, and moved after a rename of either.
 */
export async function getRepository(
  ctx: ServiceCtx,
  path: { owner: string; repo: string },
): Promise<RepositoryWithAccess> {
  const owner = await findAccountByName(ctx.db, path.owner)
  if (!owner) throw await ownerRenamedOrAbsent(ctx, path)
  const repository = await findRepositoryByName(ctx.db, owner.id, path.repo)
  if (!repository) throw await renamedOrAbsent(ctx, owner, path.repo)
  return await repositoryWithAccess(ctx, repository, owner)
}

export async function getRepositoryById(ctx: ServiceCtx, id: number): Promise<RepositoryWithAccess> {
  const repository = await findRepositoryById(ctx.db, id)
  const owner = repository && (await findAccountById(ctx.db, repository.owner_id))
  if (!repository || !owner) throw gone('repository')
  return await repositoryWithAccess(ctx, repository, owner)
}

/** The same for a row at hand. Throws notFound when the caller may not know of it. */
export async function repositoryWithAccess(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  owner: Account,
): Promise<RepositoryWithAccess> {
  const access = await repositoryAccess(ctx.db, subjectOf(ctx.caller), { ...repository, owner })
  if (!maySeeRepository(access)) throw gone('repository')
  return { repository, owner, access }
}

// Whoever may not see the repository must not learn what it is called now.
async function ownerRenamedOrAbsent(
  ctx: ServiceCtx,
  path: { owner: string; repo: string },
): Promise<DomainError> {
  const owner = await findRenamedAccount(ctx.db, path.owner)
  if (!owner) return gone('repository')
  // It may have another name of its own by now: whoever follows is told of that next.
  const repository =
    (await findRepositoryByName(ctx.db, owner.id, path.repo)) ??
    (await findRenamedRepository(ctx.db, owner.id, path.repo))
  if (!repository) return gone('repository')
  await repositoryWithAccess(ctx, repository, owner)
  return moved('owner', owner.name, false)
}

async function renamedOrAbsent(ctx: ServiceCtx, owner: Account, name: string): Promise<DomainError> {
  const repository = await findRenamedRepository(ctx.db, owner.id, name)
  if (!repository) return gone('repository')
  await repositoryWithAccess(ctx, repository, owner)
  return moved('repo', repository.name, true)
}

const moved = (field: string, name: string, permanent: boolean): DomainError =>
  new DomainError('moved', 'moved', { field, movedTo: { name, permanent } })
