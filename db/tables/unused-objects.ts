import type { Generated } from 'kysely'

/** A stored object that no row references: incomplete or left over. */
export interface UnusedObjectsTable {
  storage_key: string
  sweep_after: Date
  /** The sweep has started to delete it, so it can no longer be claimed. */
  is_swept: Generated<boolean>
  /** The sweep has deleted it, and will delete it once more. */
  is_deleted: Generated<boolean>
}
