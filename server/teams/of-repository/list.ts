import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, wholePage } from '@/server/kernel/pagination'
import { viewTeamsOf } from '../list'
import { isAttached } from '../repository-store'
import type { Team } from '../schema'
import { findTeamByName } from '../store'
import { getOrgRepository, mayChangeTeams } from './policy'
import type { RepositoryTeamPath, RepositoryTeams } from './schema'
import { selectTeamsOfRepository } from './store'

/** All teams that have the repository: clients of this list cannot ask for a second page. Throws as `getOrgRepository`. */
export async function listTeamsOfRepository(
  ctx: UserCtx,
  path: { owner: string; repo: string },
): Promise<Page<Team>> {
  const { repository, owner } = await getOrgRepository(ctx, path)
  return wholePage(await viewTeamsOf(ctx, owner, await selectTeamsOfRepository(ctx.db, repository.id)))
}

/** The teams of `listTeamsOfRepository`, and whether the caller may change which they are. */
export async function browseTeamsOfRepository(
  ctx: UserCtx,
  path: { owner: string; repo: string },
): Promise<RepositoryTeams> {
  const found = await getOrgRepository(ctx, path)
  const teams = await viewTeamsOf(
    ctx,
    found.owner,
    await selectTeamsOfRepository(ctx.db, found.repository.id),
  )
  return { ...wholePage(teams), may_change: mayChangeTeams(found) }
}

/** One of them by its name. Throws as `getOrgRepository`, and notFound for a team that does not have it. */
export async function getTeamOfRepository(ctx: UserCtx, path: RepositoryTeamPath): Promise<Team> {
  const { repository, owner } = await getOrgRepository(ctx, path)
  const team = await findTeamByName(ctx.db, owner.id, path.team)
  if (!team || !(await isAttached(ctx.db, team.id, repository.id))) throw notFound()
  const [shown] = await viewTeamsOf(ctx, owner, [team])
  if (!shown) throw notFound()
  return shown
}
