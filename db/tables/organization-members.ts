import type { Generated } from 'kysely'

export interface OrganizationMembersTable {
  org_id: number
  user_id: number
  is_public: Generated<boolean>
  created_at: Generated<Date>
}
