import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import type { Organization } from '@/server/orgs/schema'
import { namedUnits, type TeamUnits, unitsOf } from './permissions/access'
import { selectUnits } from './permissions/store'
import type { Team } from './schema'
import type { TeamRow } from './store'

/** Converts a team to its API representation, with the organization as the viewer can see it. */
export function viewTeam(team: TeamRow, stored: TeamUnits, organization: Organization): Team {
  const units = unitsOf({ mode: team.mode, units: stored })
  return {
    id: team.id,
    name: team.name,
    description: team.description,
    organization,
    includes_all_repositories: team.includes_all_repositories,
    permission: team.mode,
    units: namedUnits(units),
    units_map: units,
    can_create_org_repo: team.can_create_org_repo,
  }
}

/** Converts teams of one organization to their API representation. Loads their units with one query. */
export async function viewTeamsOf(ctx: ServiceCtx, org: Account, rows: readonly TeamRow[]): Promise<Team[]> {
  return await viewTeams(ctx, new Map([[org.id, org]]), rows)
}

/**
 * Converts teams to their API representation. `orgs` contains the organizations by ID; teams whose
 * organization is not in this map are omitted.
 */
export async function viewTeams(
  ctx: ServiceCtx,
  orgs: ReadonlyMap<number, Account>,
  rows: readonly TeamRow[],
): Promise<Team[]> {
  const units = await selectUnits(
    ctx.db,
    rows.map(row => row.id),
  )
  return rows.flatMap(row => {
    const org = orgs.get(row.org_id)
    if (!org) return []
    return [viewTeam(row, units.get(row.id) ?? {}, viewOrg(ctx, org))]
  })
}
