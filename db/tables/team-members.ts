import type { Generated } from 'kysely'

/**
 * A team member, who must also be a member of the organization. Leaving the organization removes them from
 * its teams.
 */
export interface TeamMembersTable {
  team_id: number
  org_id: number
  user_id: number
  /** Copies of the user's names that lists are sorted by. Only triggers write them. */
  shown_name: Generated<string>
  name: Generated<string>
  created_at: Generated<Date>
}
