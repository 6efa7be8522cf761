import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { exportDatabase } from '@/db/backup/export'
import { describeFailure } from '@/server/kernel/describe-failure'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { siteId } from '@/server/marks'
import { type Contents, readContents, readObjects } from './contents'
import type { Copying } from './copy/copying'
import { readEarlier } from './copy/earlier'
import { IndexWriter } from './copy/index-writer'
import { findMoves } from './copy/moves'
import { copyObjects } from './copy/objects'
import { copyRepositories } from './copy/repositories'
import { storeFiles } from './copy/store-files'
import { reasonOf } from './failure'
import { type IndexPart, readIndex } from './index-file'
import type { Begun, LiveSite } from './live'
import { type BackupLocation, putPiece, readCompressed } from './location/location'
import { claimLocation } from './location/owner'
import { DamagedList, listSnapshots, readSnapshot, writeSnapshot } from './location/snapshot'
import { createProgress, type ProgressState } from './progress'
import { removeExpired } from './retention'

export interface BackupOptions {
  location: BackupLocation
  repositoryDir: string
  storage: ObjectStorage
  /** Directory for what makes the next backup faster, and for temporary files. Belongs to this location. */
  workDir: string
  /** Secret key of the site, which is stored only if the location is encrypted. */
  secretKey: string | undefined
  /** Number of complete backups to keep. */
  keep: number
  /** Whether the location becomes this site's if it belongs to another one. */
  acceptsForeign?: boolean
  onProgress?: (state: ProgressState) => void
}

export interface BackupSummary {
  startedAt: Date
  repositories: number
  objects: number
  /** Stored size in bytes of everything that the backup names. */
  sizeBytes: number
  /** Stored size in bytes of what earlier backups did not have. */
  copiedBytes: number
  removedBackups: number
  /** What the site itself lacks, so that the backup lacks it too. */
  faults: string[]
  /** Keys of older backups in the location whose list of pieces is damaged. */
  damagedBackups: string[]
}

const hourMs = 3_600_000

/**
 * Backs up the database, then the repositories, then the objects that the database names. What is in the location
 * already is not copied again. The backup exists when this has written its list of pieces, and only after
 * everything it names was seen there. If it is interrupted, the next one continues. `prepare` opens the location
 * after the backup has begun, so that its failure is stored as one of the backup.
 * @throws {Error} if another backup is running, the location belongs to another site, or something cannot be read or
 * written
 */
export async function runBackup(
  live: LiveSite,
  prepare: () => Promise<BackupOptions>,
  signal?: AbortSignal,
): Promise<BackupSummary> {
  const begun = await live.begin()
  try {
    const signals = AbortSignal.any([begun.lost, ...(signal ? [signal] : [])])
    const summary = await backUp(live, begun, { ...(await prepare()), signal: signals })
    await live.end({
      // A backup of an incomplete site must not look like a success.
      outcome: summary.faults.length > 0 ? 'failed' : 'done',
      message: summary.faults.length > 0 ? faultMessage(summary.faults) : damageMessage(summary),
      sizeBytes: summary.sizeBytes,
      copiedBytes: summary.copiedBytes,
    })
    return summary
  } catch (error) {
    const isStopped = signal?.aborted === true
    const message = isStopped ? 'The backup was interrupted.' : describeFailure(reasonOf(error))
    await live.end({ outcome: isStopped ? 'stopped' : 'failed', message }).catch(() => undefined)
    throw error
  } finally {
    await begun.close()
  }
}

async function backUp(
  live: LiveSite,
  { startedAt, db, lost, close }: Begun,
  options: BackupOptions & { signal: AbortSignal },
): Promise<BackupSummary> {
  const { location, repositoryDir, storage, workDir, secretKey, signal } = options
  const progress = createProgress(options.onProgress)
  const site = await siteId(db)
  if (site !== undefined) await claimLocation(location, site, options)
  await mkdir(workDir, { recursive: true, mode: 0o700 })
  const present = await listPieces(location)
  const files = workFiles(workDir, startedAt)
  const index = await IndexWriter.create(files.index)
  const earlier = readEarlier(await earlierIndexes(location, workDir, files.index), present)
  const faults: string[] = []
  const copying: Copying = {
    ...{ location, repositoryDir, storage, workDir, earlier, index, progress, signal, objects: 0 },
    fault: what => void faults.push(what),
  }
  try {
    // Transactions that were open when the snapshot was taken can have begun earlier.
    const since = new Date(startedAt.getTime() - hourMs)
    let contents: Contents | undefined
    progress.begin('database')
    const open = async () =>
      exportDatabase(db, {
        ...(location.cipher.isEncrypted && { secretKey }),
        async inSnapshot(trx) {
          contents = await readContents(trx, files.objects, since)
        },
        onRows: progress.step,
      })
    const size = Number.POSITIVE_INFINITY
    const { stored } = await storeFiles(location, [{ path: 'database', size, open }], progress.bytes, signal)
    if (!contents || !stored[0]) throw new Error('the database could not be read')
    await index.write({ database: stored[0] })
    // Frees the copy of an embedded database early.
    await close()

    await copyRepositories(copying, contents.repositories)
    await copyObjects(copying, readObjects(files.objects), contents.objectCount)
    const moves = await findMoves(live, { since, known: contents.recentPushes, repositoryDir })
    for (const move of moves) await index.write({ move })
    await index.write({ end: true })
    await index.close()

    const indexPiece = await putPiece(
      location,
      pipeline(createReadStream(files.index), createGzip(), () => undefined),
      signal,
    )
    const pieces = new Map(index.pieces).set(indexPiece.piece, indexPiece.pieceSize)
    await requirePieces(location, pieces)
    if (site !== undefined) await claimLocation(location, site)
    await live.requireHold()
    lost.throwIfAborted()
    const sizeBytes = total(pieces)
    const header = {
      ...({ format: 'guildhall-snapshot', version: 1 } as const),
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      index: indexPiece,
      repositories: contents.repositories.length,
      objects: copying.objects,
      faults: faults.length,
      bytes: sizeBytes,
    }
    await writeSnapshot(location, header, pieces)
    await keepIndex(workDir, files.index, faults.length > 0 ? incompleteIndex : lastIndex)
    const copiedBytes = total(new Map([...pieces].filter(([piece]) => !present.has(piece))))
    const removed = await removeExpired(location, options.keep, present)
    return {
      ...{ startedAt, sizeBytes, copiedBytes, faults },
      ...{ removedBackups: removed.backups, damagedBackups: removed.damaged },
      repositories: contents.repositories.length,
      objects: copying.objects,
    }
  } finally {
    await earlier.close()
    await index.close().catch(() => undefined)
    await rm(files.objects, { force: true })
  }
}

function faultMessage(faults: readonly string[]): string {
  const more = faults.length > 3 ? `, and ${faults.length - 3} more` : ''
  return `The site lacks data: ${faults.slice(0, 3).join(', ')}${more}.`
}

const damageMessage = ({ damagedBackups }: BackupSummary): string =>
  damagedBackups.length > 0 ? `${damagedBackups.length} older backups are damaged.` : ''

async function listPieces({ data }: BackupLocation): Promise<Map<string, number>> {
  const present = new Map<string, number>()
  // An unfinished piece has no size that matches, and is removed like one that nothing names.
  for await (const { key, size } of data.list()) present.set(key, size ?? -1)
  return present
}

async function requirePieces(location: BackupLocation, pieces: ReadonlyMap<string, number>): Promise<void> {
  const present = await listPieces(location)
  for (const [piece, size] of pieces) {
    if (present.get(piece) !== size)
      throw new Error(`the piece ${piece} has disappeared while the backup ran`)
  }
}

const total = (pieces: ReadonlyMap<string, number>): number =>
  Array.from(pieces.values()).reduce((sum, size) => sum + size, 0)

const lastIndex = 'last.index'
// Lacks what could not be read once, so it does not replace the one of the last complete backup.
const incompleteIndex = 'incomplete.index'

const workFiles = (workDir: string, startedAt: Date) => ({
  index: join(workDir, `${startedAt.getTime()}.index`),
  objects: join(workDir, 'objects'),
})

/**
 * Returns the indexes in the working directory: of the last backup, and of those that were interrupted since.
 * If there are none, because the last backup was made elsewhere, its index is read from the location, if that is
 * possible without a secret key.
 */
async function earlierIndexes(
  location: BackupLocation,
  workDir: string,
  own: string,
): Promise<AsyncGenerator<IndexPart>[]> {
  const names = (await readdir(workDir)).filter(name => name.endsWith('.index')).sort()
  const paths = names.map(name => join(workDir, name)).filter(path => path !== own)
  const local = paths.map(path => readIndex(createReadStream(path), { isPartial: true }))
  if (names.includes(lastIndex) || !location.cipher.canOpen) return local
  for (const key of await listSnapshots(location)) {
    const snapshot = await readSnapshot(location, key).catch(error => {
      if (error instanceof DamagedList) return undefined
      throw error
    })
    if (!snapshot) continue
    return [readIndex(readCompressed(location, snapshot.index.piece), { isPartial: true }), ...local]
  }
  return local
}

async function keepIndex(workDir: string, own: string, name: string): Promise<void> {
  await rename(own, join(workDir, name))
  for (const other of await readdir(workDir)) {
    if (other.endsWith('.index') && other !== name && other !== lastIndex)
      await rm(join(workDir, other), { force: true })
  }
}
