import { repositoryAccess, seesOnlyPublic, subjectOf } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { findRepositoryByName, type RepositoryRow, viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { loadTeam } from '../load'
import type { TeamRepositoryPath } from '../schema'
import { countPublicRepositories, isAttached, selectPublicRepositories, selectRepositories } from './store'

/** A page of a team's repositories, each with what the caller may do on it. Throws as `loadTeam`. */
export async function listRepositories(
  ctx: UserCtx,
  input: PageRequest & { id: number },
): Promise<Page<Repository>> {
  const { team } = await loadTeam(ctx, input.id, 'membership')
  if (seesOnlyPublic(ctx.caller)) {
    const rows = await selectPublicRepositories(ctx.db, team.id, input)
    const page = await pageFromRows(input, rows, () => countPublicRepositories(ctx.db, team.id))
    return { ...page, items: await viewRepositories(ctx, rows) }
  }
  const rows = await selectRepositories(ctx.db, team.id, input)
  const { page, limit } = input
  return { items: await viewRepositories(ctx, rows), total: team.repository_count, page, limit }
}

/** One repository of a team. Throws as `loadTeam`, and notFound for one that is not in it. */
export async function getTeamRepository(ctx: UserCtx, input: TeamRepositoryPath): Promise<Repository> {
  const { team, org } = await loadTeam(ctx, input.id, 'membership')
  const repository = await findTeamRepository(ctx, org, input.repo)
  if (!(await isAttached(ctx.db, team.id, repository.id))) throw notFound()
  if (seesOnlyPublic(ctx.caller) && repository.is_private) throw notFound()
  const [shown] = await viewRepositories(ctx, [repository])
  if (!shown) throw notFound()
  return shown
}

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
