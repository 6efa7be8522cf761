import type { Generated } from 'kysely'

export type AccessMode = 'none' | 'read' | 'write' | 'admin' | 'owner'

export interface TeamsTable {
  id: Generated<number>
  org_id: number
  name: string
  description: Generated<string>
  /** Access to all units. Below `admin`, the permissions of the individual units apply instead. */
  mode: AccessMode
  is_owners: Generated<boolean>
  /** Whether future repositories of the organization are also attached to the team. */
  includes_all_repositories: Generated<boolean>
  can_create_org_repo: Generated<boolean>
  /** Number of members; maintained by triggers, like `repository_count`. */
  member_count: Generated<number>
  repository_count: Generated<number>
  created_at: Generated<Date>
}
