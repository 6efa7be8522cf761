import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { readLines, UnfinishedLine } from '@/db/backup/read-lines'
import { type BackupLocation, type Piece, snapshotKey, timeOf } from './location'

/** What a backup contains, readable without a key. */
const Header = z.object({
  format: z.literal('guildhall-snapshot'),
  version: z.literal(1),
  startedAt: z.string(),
  endedAt: z.string(),
  /** The piece with the list of all repositories, files and objects. */
  index: z.object({ piece: z.string(), pieceSize: z.number() }),
  repositories: z.int(),
  objects: z.int(),
  /** Number of repositories and objects that were missing or damaged on the site. */
  faults: z.int(),
  /** Total stored size in bytes. */
  bytes: z.number(),
})
export type SnapshotHeader = z.output<typeof Header>

export interface Snapshot extends SnapshotHeader {
  key: string
}

/** Thrown if the list of a backup's pieces is damaged or from another version. */
export class DamagedList extends Error {
  constructor(key: string) {
    super(`the list of the backup ${key} is damaged or from another version`)
  }
}

const Trailer = z.object({ pieces: z.int(), sha256: z.string() })

/** Writes the list of a backup's pieces, which makes the backup exist. */
export async function writeSnapshot(
  location: BackupLocation,
  header: SnapshotHeader,
  pieces: ReadonlyMap<string, number>,
): Promise<string> {
  const key = snapshotKey(new Date(header.startedAt))
  await location.snapshots.put(key, linesOf(header, pieces))
  return key
}

async function* linesOf(header: SnapshotHeader, pieces: ReadonlyMap<string, number>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(text)
    return text
  }
  let held = line(header)
  for (const piece of pieces) {
    held += line(piece)
    if (held.length < 64 * 1024) continue
    yield Buffer.from(held)
    held = ''
  }
  yield Buffer.from(`${held}${JSON.stringify({ pieces: pieces.size, sha256: hash.digest('hex') })}\n`)
}

/**
 * Reads the list of a backup's pieces, and passes each piece to `take`.
 * @throws {DamagedList} if it is damaged; `take` may already have been called
 */
export async function readSnapshot(
  { snapshots }: BackupLocation,
  key: string,
  take: (piece: Piece) => void = () => undefined,
): Promise<Snapshot> {
  const hash = createHash('sha256')
  let header: SnapshotHeader | undefined
  let count = 0
  for await (const line of linesIn(await snapshots.get(key), key)) {
    const value: unknown = parse(line)
    if (header && !Array.isArray(value)) {
      const trailer = Trailer.safeParse(value)
      if (trailer.data?.pieces !== count || trailer.data.sha256 !== hash.digest('hex')) break
      return { ...header, key }
    }
    hash.update(`${line}\n`)
    if (header) {
      const [piece, pieceSize] = value as [string, number]
      take({ piece, pieceSize })
      count++
    } else header = Header.safeParse(value).data
    if (!header) break
  }
  throw new DamagedList(key)
}

async function* linesIn(source: Readable, key: string): AsyncGenerator<string> {
  try {
    yield* readLines(source)
  } catch (error) {
    // Other failures are those of the storage.
    throw error instanceof UnfinishedLine ? new DamagedList(key) : error
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Returns the keys of the complete backups in a location, newest first. */
export async function listSnapshots({ snapshots }: BackupLocation): Promise<string[]> {
  const keys: string[] = []
  for await (const { key, size } of snapshots.list()) if (size !== undefined && timeOf(key)) keys.push(key)
  return keys.sort().reverse()
}

/**
 * Finds the newest backup, or the newest one whose time starts with `at`, such as `2026-05-01T04`.
 * @throws {Error} if there is none
 */
export async function findSnapshot(location: BackupLocation, at = ''): Promise<string> {
  const keys = await listSnapshots(location)
  const digits = at.replace(/\D/g, '')
  const found = keys.find(key => key.startsWith(digits))
  if (found) return found
  const times = keys.map(key => timeOf(key)?.toISOString()).slice(0, 10)
  throw new Error(
    times.length === 0
      ? 'there is no complete backup in this location'
      : `there is no backup of ${at}; the newest are ${times.join(', ')}`,
  )
}
