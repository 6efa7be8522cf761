import type { Generated } from 'kysely'

/** Only members of the organization are in here: who leaves it leaves its teams. */
export interface TeamMembersTable {
  team_id: number
  org_id: number
  user_id: number
  /** Copies that lists are ordered by, kept by triggers; nothing else writes them. */
  shown_name: Generated<string>
  name: Generated<string>
  created_at: Generated<Date>
}
