import type { Generated } from 'kysely'

export type AccessMode = 'none' | 'read' | 'write' | 'admin' | 'owner'

export interface TeamsTable {
  id: Generated<number>
  org_id: number
  name: string
  description: Generated<string>
  /** Over everything; below admin, what counts are the team's units. */
  mode: AccessMode
  is_owners: Generated<boolean>
  /** Repositories of the organization to come are attached too. */
  includes_all_repositories: Generated<boolean>
  can_create_org_repo: Generated<boolean>
  /** The counts are kept by triggers; nothing else writes them. */
  member_count: Generated<number>
  repository_count: Generated<number>
  created_at: Generated<Date>
}
