import type { Generated } from 'kysely'

/** Only repositories of the team's organization are in here. */
export interface TeamRepositoriesTable {
  team_id: number
  org_id: number
  repository_id: number
  created_at: Generated<Date>
}
