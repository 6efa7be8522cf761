import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getOrg } from '@/server/orgs'
import type { Team } from './schema'
import { showTeam } from './show'
import { findTeamByName } from './store'

/** A team by its name, in any case, for whoever may look into it. Throws as `getOrg` and `getTeam`. */
export async function showTeamByName(ctx: UserCtx, path: { org: string; team: string }): Promise<Team> {
  const { org } = await getOrg(ctx, path.org)
  const team = await findTeamByName(ctx.db, org.id, path.team)
  if (!team) throw notFound()
  return await showTeam(ctx, team.id)
}
