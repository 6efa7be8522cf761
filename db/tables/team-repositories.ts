import type { Generated } from 'kysely'

/** Only repositories of the team's organization are in here. */
export interface TeamRepositoriesTable {
  team_id: number
  org_id: number
  repository_id: number
  /** Copies that lists are ordered by, kept by triggers; nothing else writes them. */
  name: Generated<string>
  created_at: Generated<Date>
}
