/** An object in the storage that no row names: it is being written, or left over. */
export interface UnusedObjectsTable {
  storage_key: string
  sweep_after: Date
}
