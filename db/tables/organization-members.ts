import type { Generated } from 'kysely'

export interface OrganizationMembersTable {
  org_id: number
  user_id: number
  is_public: Generated<boolean>
  /** Copies of the user's names that lists are sorted by. Only triggers write them. */
  shown_name: Generated<string>
  name: Generated<string>
  created_at: Generated<Date>
}
