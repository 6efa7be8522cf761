import { randomBytes } from 'node:crypto'
import { getPriority } from 'node:os'
import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { isDomainError } from '@/server/kernel/errors'
import type { Logger } from '@/server/kernel/log'
import { newObjectKey } from '@/server/kernel/storage/key'
import { openStorage } from '@/server/kernel/storage/open'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import type { LocationSettings } from './address'
import { type Cipher, cipherFor, Encryption, newEncryption, type Secrets } from './encryption'

const Description = z.object({
  format: z.literal('guildhall-backups'),
  version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  encryption: Encryption,
})

/** Where backups are kept: pieces of content, and a list of backups that name pieces. */
export interface BackupLocation {
  /** Random ID, by which it is known again under another address. */
  id: string
  cipher: Cipher
  data: ObjectStorage
  snapshots: ObjectStorage
}

/** A piece: the name of an encrypted part of a backup's content and its stored size in bytes. */
export interface Piece {
  piece: string
  pieceSize: number
}

// The keys of snapshots start with a time, so none has this one.
const descriptionKey = '0'.repeat(32)
const maxDescriptionBytes = 64 * 1024

/** Thrown if a location was never used. */
export class NoBackups extends Error {
  constructor() {
    super('there are no backups in this location')
  }
}

interface OpenOptions {
  /** If undefined, encrypted content cannot be read. */
  secrets: Secrets | undefined
  log: Logger
  /** Whether to begin an empty location. */
  create?: boolean
}

/**
 * Opens a location of backups.
 * @throws {NoBackups} if there are none and `create` is not set; {Error} if the secrets do not fit it, or if there is
 * something else
 */
export async function openLocation(
  settings: LocationSettings,
  { secrets, log, create }: OpenOptions,
): Promise<BackupLocation> {
  const [data, snapshots] = [
    await openStorage(settings.data, log),
    await openStorage(settings.snapshots, log),
  ]
  const found = await readDescription(snapshots)
  if (found) return { id: found.id, cipher: await cipherFor(found.encryption, secrets), data, snapshots }
  if (!create) throw new NoBackups()
  await requireEmpty([data, snapshots])
  await data.prepare()
  const encryption = await newEncryption(secrets ?? {})
  const id = newObjectKey()
  const description = JSON.stringify({ format: 'guildhall-backups', version: 1, id, encryption }, null, 2)
  await snapshots.put(descriptionKey, Readable.from([Buffer.from(`${description}\n`)]))
  return { id, cipher: await cipherFor(encryption, secrets), data, snapshots }
}

// What no backup names will be removed, so it must not be something else.
async function requireEmpty(storages: readonly ObjectStorage[]): Promise<void> {
  for (const storage of storages) {
    for await (const { size } of storage.list()) {
      if (size === undefined) continue
      throw new Error(
        'this location contains other files, or backups whose description is lost; choose another one',
      )
    }
  }
}

async function readDescription(snapshots: ObjectStorage): Promise<z.output<typeof Description> | undefined> {
  const size = await snapshots.size(descriptionKey)
  if (size === undefined) return undefined
  const content = size > maxDescriptionBytes ? '' : await text(await snapshots.get(descriptionKey))
  try {
    return Description.parse(JSON.parse(content))
  } catch (cause) {
    throw new Error('the description of this location is damaged or from another version', { cause })
  }
}

/** Returns the key of a backup's list of pieces, which starts with the digits of its time. */
export function snapshotKey(time: Date): string {
  const digits = time.toISOString().replace(/\D/g, '')
  return `${digits}${randomBytes(8).toString('hex')}`.slice(0, 32)
}

/** Returns the time in the key of a snapshot, to the millisecond; undefined if it is not one. */
export function timeOf(key: string): Date | undefined {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(key) ?? []
  const [year, month, day, hour, minute, second, ms] = parts
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return key === descriptionKey || Number.isNaN(time.getTime()) ? undefined : time
}

/** Stores content as a new piece, encrypted if the location is. */
export async function putPiece(
  { data, cipher }: BackupLocation,
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<Piece> {
  const piece = newObjectKey()
  const rest = getPriority() > 0 ? createRest() : undefined
  const { size } = await data.put(piece, cipher.seal(rest ? paced(source, rest) : source), { signal })
  await rest?.()
  return { piece, pieceSize: size }
}

// Shorter rests would cost more than the work.
const [minRestMs, maxRestMs] = [10, 250]

/** Returns a function that waits as long as the work since its last wait took. */
function createRest(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    const workedMs = performance.now() - since
    if (workedMs < minRestMs) return
    await delay(Math.min(workedMs, maxRestMs))
    since = performance.now()
  }
}

// A process of low priority still delays others at the disk, which knows no priorities.
async function* paced(
  source: AsyncIterable<Uint8Array>,
  rest: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    yield chunk
    await rest()
  }
}

/**
 * Reads a piece.
 * @throws {Error} if it is missing; what is read is checked only if the location is encrypted
 */
export async function* readPiece(
  { data, cipher }: BackupLocation,
  piece: string,
): AsyncGenerator<Uint8Array> {
  const source = await data.get(piece).catch(error => {
    if (!isDomainError(error) || error.kind !== 'notFound') throw error
    throw new Error(`the piece ${piece} is missing`)
  })
  try {
    yield* cipher.open(source)
  } finally {
    source.destroy()
  }
}

/** Reads a compressed piece, and decompresses it. */
export const readCompressed = (location: BackupLocation, piece: string): Readable =>
  pipeline(readPiece(location, piece), createGunzip(), () => undefined)
