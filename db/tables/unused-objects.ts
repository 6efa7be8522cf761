import type { Generated } from 'kysely'

/** An object in the storage that no row names: it is being written, or left over. */
export interface UnusedObjectsTable {
  storage_key: string
  sweep_after: Date
  /** The sweep has begun to delete it, and nobody can claim it anymore. */
  is_swept: Generated<boolean>
  /** The sweep has deleted it, and will once more. */
  is_deleted: Generated<boolean>
}
