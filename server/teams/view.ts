import type { Organization } from '@/server/orgs/schema'
import { namedUnits, type TeamUnits, unitsOf } from './permissions/access'
import type { Team } from './schema'
import type { TeamRow } from './store'

/** The team as the wire shows it, with its organization as this viewer may see that. */
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
