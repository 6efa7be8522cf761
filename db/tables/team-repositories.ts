import type { Generated } from 'kysely'

/** Only repositories of the team's organization are in here. */
export interface TeamRepositoriesTable {
  team_id: number
  org_id: number
  repository_id: number
  /** A copy that lists are ordered by, kept by triggers; only who attaches many repositories at once brings it. */
  name: Generated<string>
  created_at: Generated<Date>
}
