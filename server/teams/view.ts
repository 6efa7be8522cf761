import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { viewOrg } from '@/server/orgs'
import type { Organization } from '@/server/orgs/schema'
import { namedUnits, type TeamUnits, unitsOf } from './permissions/access'
import { selectUnits } from './permissions/store'
import type { Team } from './schema'
import type { TeamRow } from './store'

/** Shows a team on the wire, with its organization as the viewer may see it. */
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

/** Shows teams of one organization, with one query for their units. */
export async function viewTeamsOf(ctx: ServiceCtx, org: Account, rows: readonly TeamRow[]): Promise<Team[]> {
  return await viewTeams(ctx, new Map([[org.id, org]]), rows)
}

/** Shows teams with their organizations, by id in `orgs`; leaves out teams whose organization is not among them. */
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
