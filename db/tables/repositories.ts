import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type ObjectFormat = 'sha1' | 'sha256'

export interface RepositoriesTable {
  id: Generated<number>
  owner_id: number
  name: string
  description: Generated<string>
  website: Generated<string>
  /** Sorted names. */
  topics: Generated<string[]>
  is_private: Generated<boolean>
  is_template: Generated<boolean>
  /** True until the first push. */
  is_empty: Generated<boolean>
  default_branch: string
  object_format: Generated<ObjectFormat>
  /** Name of the directory on disk, which stays the same when the repository is renamed. */
  storage_key: string
  size_kib: Generated<number>
  branch_count: Generated<number>
  /** Null if no push has been recorded since Guildhall began to count tags. */
  tag_count: number | null
  /** Number of published releases. */
  release_count: Generated<number>
  /** Number of the latest workflow run, even if it has been deleted; 0 before the first run. */
  last_run_number: Generated<number>
  /** Number of workflow runs. */
  run_count: Generated<number>
  /** Whether workflows of the default branch may follow runs of others. */
  follows_runs: Generated<boolean>
  /** Number of finished and expired artifacts of workflow runs. */
  artifact_count: Generated<number>
  /** Settings that differ from the defaults. Stored as jsonb. */
  settings: ColumnType<unknown, string | undefined, string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  pushed_at: Date | null
  archived_at: Date | null
  /** Copy of the owner's name, maintained by triggers. */
  owner_name: Generated<string>
  /** `owner/name` in lowercase. */
  search_name: GeneratedAlways<string>
  /** Whether a transfer to another account awaits acceptance. Maintained by a trigger. */
  is_offered: Generated<boolean>
  /**
   * ID of the event by which the current owner received the repository; 0 if it still belongs to its first
   * owner.
   */
  owned_since_event: Generated<number>
}
