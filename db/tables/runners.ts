import type { ColumnType, Generated } from 'kysely'

/**
 * A runner, which executes jobs of an account, of a repository, or, if both are null, of the whole instance.
 */
export interface RunnersTable {
  id: Generated<number>
  uuid: string
  owner_id: number | null
  repository_id: number | null
  /** Display name, which need not be unique. */
  name: string
  secret_hash: Buffer
  version: Generated<string>
  /** Labels that jobs are matched against. */
  labels: ColumnType<string[], string | undefined, string>
  /** Labels that the runner last declared. */
  declared_labels: ColumnType<string[], string | undefined, string>
  /** Whether a user edited the labels on the server. If so, declared labels do not replace them. */
  labels_edited: Generated<boolean>
  capabilities: ColumnType<string[], string | undefined, string>
  /** Whether the runner executes only one job. */
  is_ephemeral: Generated<boolean>
  /** When the job of an ephemeral runner ended. From then on, the runner can only repeat its last reports. */
  retired_at: Date | null
  /** Null while the runner is enabled. A disabled runner is enabled again from `resume_at` on. */
  disabled_at: Date | null
  disabled_by: number | null
  disabled_note: Generated<string>
  resume_at: Date | null
  last_online_at: Date | null
  /** When the runner last reported about a job. */
  last_active_at: Date | null
  created_at: Generated<Date>
}

/**
 * Registration token for runners of an account, of a repository, or, if both are null, of the whole instance.
 */
export interface RunnerRegistrationsTable {
  id: Generated<number>
  owner_id: number | null
  repository_id: number | null
  /** Number from which the token is derived. A reset increments it and so changes the token. */
  generation: Generated<number>
  token_hash: Buffer
  use_count: Generated<number>
  last_used_at: Date | null
  created_at: Generated<Date>
}
