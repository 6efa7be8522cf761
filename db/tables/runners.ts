import type { ColumnType, Generated } from 'kysely'

/** A program that runs jobs: of an account, of a repository, or of the whole site where both are null. */
export interface RunnersTable {
  id: Generated<number>
  uuid: string
  owner_id: number | null
  repository_id: number | null
  /** Not unique. */
  name: string
  secret_hash: Buffer
  version: Generated<string>
  /** What jobs are matched with. */
  labels: ColumnType<string[], string | undefined, string>
  /** What the runner said last. */
  declared_labels: ColumnType<string[], string | undefined, string>
  /** Whether somebody edited the labels on the server: declared ones do not replace them then. */
  labels_edited: Generated<boolean>
  capabilities: ColumnType<string[], string | undefined, string>
  /** It does one job. */
  is_ephemeral: Generated<boolean>
  /** When the job of an ephemeral runner ended: it can only repeat its last reports. */
  retired_at: Date | null
  /** Null while it is enabled; it is also enabled from `resume_at` on. */
  disabled_at: Date | null
  disabled_by: number | null
  disabled_note: Generated<string>
  resume_at: Date | null
  last_online_at: Date | null
  /** Of its last report about a job. */
  last_active_at: Date | null
  created_at: Generated<Date>
}

/** The registration token of an account, of a repository, or of the whole site where both are null. */
export interface RunnerRegistrationsTable {
  id: Generated<number>
  owner_id: number | null
  repository_id: number | null
  /** A reset takes the next one, and with it another token. */
  generation: Generated<number>
  token_hash: Buffer
  use_count: Generated<number>
  last_used_at: Date | null
  created_at: Generated<Date>
}
