import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import type { Team } from './schema'
import { showTeam } from './show'
import { findTeamByName } from './store'

/** A team by its name, in any case, for whoever may look into it. Throws as `loadOrganization` and `loadTeam`. */
export async function showTeamByName(ctx: UserCtx, path: { org: string; team: string }): Promise<Team> {
  const { org } = await loadOrganization(ctx, path.org, 'view')
  const team = await findTeamByName(ctx.db, org.id, path.team)
  if (!team) throw notFound()
  return await showTeam(ctx, team.id)
}
