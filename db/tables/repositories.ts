import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type ObjectFormat = 'sha1' | 'sha256'

export interface RepositoriesTable {
  id: Generated<number>
  owner_id: number
  name: string
  description: Generated<string>
  website: Generated<string>
  is_private: Generated<boolean>
  is_template: Generated<boolean>
  /** Nothing was pushed yet. */
  is_empty: Generated<boolean>
  default_branch: string
  object_format: Generated<ObjectFormat>
  /** Names the directory on disk; stays when the repository is renamed. */
  storage_key: string
  size_kib: Generated<number>
  branch_count: Generated<number>
  /** Null until a push is recorded, where it was made before tags were counted. */
  tag_count: number | null
  /** Published releases. */
  release_count: Generated<number>
  /** The number of the latest workflow run, even if it was deleted since; 0 before the first. */
  last_run_number: Generated<number>
  /** Workflow runs. */
  run_count: Generated<number>
  /** Finished and expired artifacts of workflow runs. */
  artifact_count: Generated<number>
  /** What its editors chose away from the defaults. Stored as jsonb. */
  settings: ColumnType<unknown, string | undefined, string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  pushed_at: Date | null
  archived_at: Date | null
  /** A copy of the owner's, which triggers keep. */
  owner_name: Generated<string>
  /** `owner/name` in lower case. */
  search_name: GeneratedAlways<string>
  /** It waits for another account to accept it. Kept by a trigger. */
  is_offered: Generated<boolean>
  /** The event by which the present owner got it; 0 for the account that it was created for. */
  owned_since_event: Generated<number>
}
