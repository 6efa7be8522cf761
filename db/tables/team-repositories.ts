import type { Generated } from 'kysely'

/** A repository that is attached to a team. It must belong to the team's organization. */
export interface TeamRepositoriesTable {
  team_id: number
  org_id: number
  repository_id: number
  /**
   * Copy of the repository's name that lists are sorted by. Maintained by triggers, except that bulk inserts
   * set it themselves.
   */
  name: Generated<string>
  created_at: Generated<Date>
}
