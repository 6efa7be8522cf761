import { readLines } from '@/db/backup/read-lines'
import { type IndexPart, readIndex, type StoredFile } from '../index-file'
import { type Place, readCompressed } from '../place/place'
import { findSnapshot, readSnapshot, type Snapshot } from '../place/snapshot'

/** A backup to read. */
export interface OpenSnapshot {
  place: Place
  snapshot: Snapshot
  /** The file with the database. */
  database: StoredFile
  /** Returns the first line of the database's backup. */
  readDatabaseHeader(): Promise<string>
  /** Reads the rest of the index from its beginning. */
  parts(): AsyncGenerator<IndexPart>
}

/** Opens the newest backup in a place, or the newest one whose time starts with `at`. */
export async function openSnapshot(place: Place, at?: string): Promise<OpenSnapshot> {
  const snapshot = await readSnapshot(place, await findSnapshot(place, at))
  const parts = () => readIndex(readCompressed(place, snapshot.index.piece))
  let database: StoredFile | undefined
  for await (const part of parts()) {
    if ('database' in part) database = part.database
    break
  }
  if (!database) throw new Error('the backup does not contain the database')
  const [, , , piece] = database
  return {
    place,
    snapshot,
    database,
    parts,
    async readDatabaseHeader() {
      for await (const line of readLines(readCompressed(place, piece))) return line
      throw new Error('the backup of the database is empty')
    },
  }
}
