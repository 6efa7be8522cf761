import { readLines } from '@/db/backup/read-lines'
import { type IndexPart, readIndex, type StoredFile } from '../index-file'
import { type BackupLocation, readCompressed, readPiece } from '../location/location'
import { findSnapshot, readSnapshot, type Snapshot } from '../location/snapshot'
import { verified } from './fetch'

/** A backup to read. */
export interface OpenSnapshot {
  location: BackupLocation
  snapshot: Snapshot
  /** Reads the compressed backup of the database, which fails at its end if it is not the one of this backup. */
  readDatabase(): AsyncIterable<Uint8Array>
  /** Returns the first line of the database's backup. */
  readDatabaseHeader(): Promise<string>
  /** Reads the rest of the index from its beginning. */
  parts(): AsyncGenerator<IndexPart>
}

/** Opens the newest backup in a location, or the newest one whose time starts with `at`. */
export async function openSnapshot(location: BackupLocation, at?: string): Promise<OpenSnapshot> {
  const snapshot = await readSnapshot(location, await findSnapshot(location, at))
  const parts = () => readIndex(readCompressed(location, snapshot.index.piece))
  let database: StoredFile | undefined
  for await (const part of parts()) {
    if ('database' in part) database = part.database
    break
  }
  if (!database) throw new Error('the backup does not contain the database')
  const [, , sha256, piece] = database
  return {
    location,
    snapshot,
    parts,
    readDatabase: () => verified(readPiece(location, piece), sha256),
    async readDatabaseHeader() {
      for await (const line of readLines(readCompressed(location, piece))) return line
      throw new Error('the backup of the database is empty')
    },
  }
}
