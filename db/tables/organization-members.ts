import type { Generated } from 'kysely'

export interface OrganizationMembersTable {
  org_id: number
  user_id: number
  is_public: Generated<boolean>
  /** Copies that lists are ordered by, kept by triggers; nothing else writes them. */
  shown_name: Generated<string>
  name: Generated<string>
  created_at: Generated<Date>
}
