import type { Generated } from 'kysely'

/** A stored object that no row references, because it is incomplete or left over. */
export interface UnusedObjectsTable {
  storage_key: string
  sweep_after: Date
  /** Whether the cleanup job has started to delete the object, which then cannot be claimed. */
  is_swept: Generated<boolean>
  /** Whether the cleanup job has deleted the object. It deletes it once more later. */
  is_deleted: Generated<boolean>
}
