import type { Account } from '@/server/kernel/auth/account'
import { findRenamedAccount } from '@/server/kernel/auth/find-redirect'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { atLeast } from '@/server/kernel/permissions/access-mode'
import { askerOf } from '@/server/kernel/permissions/asker'
import { repositoryAccess } from '@/server/kernel/permissions/repository-access'
import { findRepositoryByName, type RepositoryRow } from '@/server/repos'

/** A repository of the team's organization by the names in a path. Throws notFound, also for another organization's. */
export async function findTeamRepository(
  ctx: UserCtx,
  org: Account,
  path: { org: string; repo: string },
): Promise<RepositoryRow> {
  if (!(await isNamed(ctx, org, path.org))) throw notFound()
  const repository = await findRepositoryByName(ctx.db, org.id, path.repo)
  if (!repository) throw notFound()
  return repository
}

/** Throws forbidden unless the caller may administer the code of this repository. */
export async function requireRepositoryAdmin(
  ctx: UserCtx,
  org: Account,
  repository: RepositoryRow,
): Promise<void> {
  const access = await repositoryAccess(ctx.db, askerOf(ctx.caller), { ...repository, owner: org })
  if (!atLeast(access.units['repo.code'].mode, 'admin')) {
    throw forbidden('Must have admin-level access to the repository')
  }
}

// The team tells the organization already, so a name it had before is as good as the one it has.
async function isNamed(ctx: UserCtx, org: Account, name: string): Promise<boolean> {
  if (name.toLowerCase() === org.name.toLowerCase()) return true
  return (await findRenamedAccount(ctx.db, name))?.id === org.id
}
