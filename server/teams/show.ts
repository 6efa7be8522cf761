import type { UserCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import { loadTeam } from './find'
import type { Team } from './schema'
import { selectUnits } from './unit-store'
import { viewTeam } from './view'

/** A team, for whoever may look into it. Throws as `loadTeam`. */
export async function showTeam(ctx: UserCtx, id: number): Promise<Team> {
  const { team, org } = await loadTeam(ctx, id, 'membership')
  const units = (await selectUnits(ctx.db, [id])).get(id) ?? {}
  return viewTeam(team, units, viewOrg(ctx, org))
}
