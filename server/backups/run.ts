import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { exportDatabase } from '@/db/backup/export'
import { describeFailure } from '@/server/kernel/describe-failure'
import type { ObjectStorage } from '@/server/kernel/storage/types'
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
import { listSnapshots, readSnapshot, writeSnapshot } from './location/snapshot'
import { createProgress, type ProgressState } from './progress'
import { removeExpired } from './retention'

export interface BackupOptions {
  live: LiveSite
  location: BackupLocation
  repositoryDir: string
  storage: ObjectStorage
  /** Directory for what makes the next backup faster, and for temporary files. Belongs to this location. */
  workDir: string
  /** Secret key of the site, which is stored only if the location is encrypted. */
  secretKey: string | undefined
  /** Number of complete backups to keep. */
  keep: number
  signal?: AbortSignal
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
}

const hourMs = 3_600_000

/**
 * Backs up the database, then the repositories, then the objects that the database names. What is in the location
 * already is not copied again. The backup exists when this has written its list of pieces, and only after
 * everything it names was seen there. If it is interrupted, the next one continues.
 * @throws {Error} if another backup is running, or something cannot be read or written
 */
export async function runBackup(options: BackupOptions): Promise<BackupSummary> {
  const { live } = options
  const begun = await live.begin()
  try {
    const summary = await backUp(options, begun)
    await live.end({
      // A backup of an incomplete site must not look like a success.
      outcome: summary.faults.length > 0 ? 'failed' : 'done',
      message: summary.faults.length > 0 ? faultMessage(summary.faults) : '',
      sizeBytes: summary.sizeBytes,
      copiedBytes: summary.copiedBytes,
    })
    return summary
  } catch (error) {
    const isStopped = options.signal?.aborted === true
    const message = isStopped ? 'The backup was interrupted.' : describeFailure(reasonOf(error))
    await live.end({ outcome: isStopped ? 'stopped' : 'failed', message }).catch(() => undefined)
    throw error
  }
}

async function backUp(options: BackupOptions, begun: Begun): Promise<BackupSummary> {
  const { startedAt, db, lost } = begun
  const { live, location, repositoryDir, storage, workDir, secretKey } = options
  const signal = AbortSignal.any([lost, ...(options.signal ? [options.signal] : [])])
  const progress = createProgress(options.onProgress)
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
    await begun.close()

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
    await keepIndex(workDir, files.index)
    const copiedBytes = total(new Map([...pieces].filter(([piece]) => !present.has(piece))))
    // An incomplete backup must not replace a complete one.
    const removedBackups = faults.length > 0 ? 0 : await removeExpired(location, options.keep, present)
    return {
      ...{ startedAt, sizeBytes, copiedBytes, removedBackups, faults },
      repositories: contents.repositories.length,
      objects: copying.objects,
    }
  } finally {
    await begun.close()
    await earlier.close()
    await index.close().catch(() => undefined)
    await rm(files.objects, { force: true })
  }
}

function faultMessage(faults: readonly string[]): string {
  const more = faults.length > 3 ? `, and ${faults.length - 3} more` : ''
  return `The site lacks data: ${faults.slice(0, 3).join(', ')}${more}.`
}

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
  const [newest] = await listSnapshots(location)
  if (newest === undefined) return local
  const { index } = await readSnapshot(location, newest)
  return [readIndex(readCompressed(location, index.piece), { isPartial: true }), ...local]
}

async function keepIndex(workDir: string, own: string): Promise<void> {
  await rename(own, join(workDir, lastIndex))
  for (const name of await readdir(workDir)) {
    if (name.endsWith('.index') && name !== lastIndex) await rm(join(workDir, name), { force: true })
  }
}
