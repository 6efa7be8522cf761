import type { Generated } from 'kysely'

export type JobAccess = 'none' | 'read' | 'write'
/** What a workflow requests for the token of a job. */
export interface StoredPermissions {
  /** Access by scope; `none` for scopes that are absent. */
  scopes: Readonly<Record<string, JobAccess>>
  /** Whether the default permissions are a further limit, as for a workflow whose caller requests nothing. */
  withinDefault?: true
}

export type WorkflowAccessLevel = 'none' | 'user' | 'organization'

/**
 * Settings for the tokens of jobs: of an account, of a repository, or, if both are null, of the whole site.
 */
export interface WorkflowPermissionsTable {
  id: Generated<number>
  owner_id: number | null
  repository_id: number | null
  /** What a token can do if the workflow does not state it; null for the setting of the owner or the site. */
  default_permissions: 'read' | 'write' | null
  /** Highest access that the token of a job can have. */
  max_contents: Generated<JobAccess>
  max_actions: Generated<JobAccess>
  max_statuses: Generated<JobAccess>
  max_packages: Generated<JobAccess>
  /** Which other repositories can call the reusable workflows of this repository. */
  access_level: Generated<WorkflowAccessLevel>
  updated_at: Generated<Date>
}
