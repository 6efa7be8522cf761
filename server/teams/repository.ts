import { repositoryAccess, subjectOf } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { findRepositoryByName, type RepositoryRow } from '@/server/repos'

/** A repository of the team's organization by its name in a path. Throws notFound, also for another organization's. */
export async function findTeamRepository(ctx: UserCtx, org: Account, name: string): Promise<RepositoryRow> {
  const repository = await findRepositoryByName(ctx.db, org.id, name)
  if (!repository) throw notFound()
  return repository
}

/** Throws forbidden unless the caller may administer the code of this repository. */
export async function requireRepositoryAdmin(
  ctx: UserCtx,
  org: Account,
  repository: RepositoryRow,
): Promise<void> {
  const access = await repositoryAccess(ctx.db, subjectOf(ctx.caller), { ...repository, owner: org })
  if (!atLeast(access.units['repo.code'].mode, 'admin')) {
    throw forbidden('Must have admin-level access to the repository')
  }
}
