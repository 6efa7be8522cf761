import type { Generated } from 'kysely'

/** Only members of the organization are in here: who leaves it leaves its teams. */
export interface TeamMembersTable {
  team_id: number
  org_id: number
  user_id: number
  created_at: Generated<Date>
}
