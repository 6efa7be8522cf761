import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { importDatabase } from '@/db/backup/import'
import { type OpenDatabase, openDatabase } from '@/db/client'
import { describeFailure } from '@/server/kernel/describe-failure'
import { memoryFor } from '@/server/kernel/git/memory'
import { readGit, runGit } from '@/server/kernel/git/run'
import { countPackedObjects, repositoryPath, sizeKib } from '@/server/repos/storage'
import { readContents, readObjects } from './contents'
import { readEarlier } from './copy/earlier'
import { refsHeader } from './copy/repository-files'
import type { StoredFile } from './index-file'
import { type BackupLocation, timeOf } from './location/location'
import { findSnapshot, readSnapshot } from './location/snapshot'
import { createProgress, type Progress, type ProgressState } from './progress'
import { fetchFiles } from './restore/fetch'
import { type OpenSnapshot, openSnapshot } from './restore/open-snapshot'
import { restoreRepository } from './restore/repository'
import { objectsIn, repositoriesIn } from './restore/restore'

export interface VerifyOptions {
  /** The time of the backup, or its beginning; the newest if undefined. */
  at?: string | undefined
  /** Directory for a scratch copy of the database and of one repository at a time. */
  scratchDir?: string | undefined
  /** Opens the empty database in which the backup is restored; by default an embedded one. */
  openDatabase?: (dataDir: string) => Promise<OpenDatabase>
  onProgress?: ((state: ProgressState) => void) | undefined
}

export interface Verification {
  startedAt: string
  rows: number
  repositories: number
  objects: number
  faults: string[]
}

const fsckMs = 4 * 3_600_000

/**
 * Checks that all pieces of a backup are there with their sizes, without reading them. Needs no key.
 * @throws {Error} if there is no backup, or its list of pieces is damaged
 */
export async function verifyPresence(location: BackupLocation, at?: string): Promise<Verification> {
  const present = new Map<string, number | undefined>()
  for await (const { key, size } of location.data.list()) present.set(key, size)
  const faults: string[] = []
  const snapshot = await readSnapshot(location, await findSnapshot(location, at), ({ piece, pieceSize }) => {
    const size = present.get(piece)
    if (size === undefined) faults.push(`the piece ${piece} is missing`)
    else if (size !== pieceSize) faults.push(`the piece ${piece} has ${size} bytes instead of ${pieceSize}`)
  })
  const { startedAt, repositories, objects } = snapshot
  return { startedAt, repositories, objects, rows: 0, faults }
}

/**
 * Proves that a backup can be restored: restores the database and each repository into a scratch location, and
 * compares every row count, ref and digest. Continues after a fault, and returns all of them.
 * @throws {Error} if there is no backup, or its lists are damaged
 */
export async function verifyBackup(
  location: BackupLocation,
  options: VerifyOptions = {},
): Promise<Verification> {
  const key = await findSnapshot(location, options.at)
  // Another one may be the newest from now on.
  const at = timeOf(key)?.toISOString()
  const [verification] = await Promise.allSettled([verifySnapshot(location, { ...options, at })])
  // What then is missing says nothing.
  if ((await location.snapshots.size(key)) === undefined)
    throw new Error('the backup was removed by a newer one while it was verified')
  if (verification.status === 'rejected') throw verification.reason
  return verification.value
}

async function verifySnapshot(location: BackupLocation, options: VerifyOptions): Promise<Verification> {
  const { faults } = await verifyPresence(location, options.at)
  const scratch = await mkdtemp(join(options.scratchDir ?? tmpdir(), 'guildhall-verify-'))
  try {
    const opened = await openSnapshot(location, options.at)
    const progress = createProgress(options.onProgress)
    const open = options.openDatabase ?? (dataDir => openDatabase({ dataDir }))
    const check = new Check({ location, opened, scratch, progress, faults, open })
    return await check.run()
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

interface CheckOptions {
  location: BackupLocation
  opened: OpenSnapshot
  scratch: string
  progress: Progress
  faults: string[]
  open(dataDir: string): Promise<OpenDatabase>
}

class Check {
  private readonly location: BackupLocation
  private readonly progress: Progress
  private readonly faults: string[]

  constructor(private readonly options: CheckOptions) {
    this.location = options.location
    this.progress = options.progress
    this.faults = options.faults
  }

  async run(): Promise<Verification> {
    const { startedAt, repositories, objects } = this.options.opened.snapshot
    this.progress.begin('database')
    const rows = await this.checkDatabase().catch(error => {
      this.faults.push(`the database cannot be restored: ${describeFailure(error)}`)
      return 0
    })
    this.progress.begin('repositories', repositories)
    for await (const { repository, files } of repositoriesIn(this.options.opened)) {
      if (repository.isMissing) this.faults.push(`the repository ${repository.key} was missing on the site`)
      else await this.checkRepository(repository.key, files)
      this.progress.step()
    }
    this.progress.begin('objects', objects)
    for await (const files of objectsIn(this.options.opened)) {
      await fetchFiles(this.location, files, {
        write: async (_, content) => {
          for await (const _chunk of content) {
            // Reading to the end checks the digest.
          }
        },
        fault: ([key], reason) => this.faults.push(`the object ${key}: ${reason}`),
        onBytes: this.progress.bytes,
      })
      for (const _ of files) this.progress.step()
    }
    return { startedAt, rows, repositories, objects, faults: this.faults }
  }

  // Importing compares the number of rows in each table, and the checksum.
  private async checkDatabase(): Promise<number> {
    const database = await this.options.open(this.options.scratch)
    try {
      const { rows } = await importDatabase(database.db, Readable.from(this.options.opened.readDatabase()))
      await this.compareNames(database)
      return Object.values(rows).reduce((sum, count) => sum + count, 0)
    } finally {
      await database.close()
    }
  }

  /** Checks that the backup contains everything that the database names, with the digests that it names. */
  private async compareNames({ db }: OpenDatabase): Promise<void> {
    const objectsFile = join(this.options.scratch, 'objects')
    const { repositories } = await db.transaction().execute(trx => readContents(trx, objectsFile, new Date()))
    const pieces = new Map<string, number>()
    await readSnapshot(this.location, this.options.opened.snapshot.key, ({ piece, pieceSize }) =>
      pieces.set(piece, pieceSize),
    )
    const listed = readEarlier([this.options.opened.parts()], pieces)
    for (const { key } of repositories) {
      if ((await listed.filesOf(key)).size === 0)
        this.faults.push(`the repository ${key} is not in the backup`)
    }
    for await (const { key, sha256 } of readObjects(objectsFile)) {
      const file = await listed.object(key)
      if (!file) this.faults.push(`the object ${key} is not in the backup`)
      else if (sha256 !== null && sha256 !== file[2]) this.faults.push(`the object ${key} has another digest`)
    }
    await listed.close()
  }

  private async checkRepository(key: string, files: readonly StoredFile[]): Promise<void> {
    const repositoryDir = join(this.options.scratch, 'repositories')
    const repository = repositoryPath({ repositoryDir }, key)
    try {
      await restoreRepository(this.location, { repositoryDir, key, files }, { onBytes: this.progress.bytes })
      const refs = createHash('sha256').update(refsHeader)
      await readGit(['for-each-ref', '--format=%(objectname) %(refname)'], { repository }, chunk => {
        refs.update(chunk)
      })
      const [, , recorded] = files.find(([path]) => path === 'packed-refs') ?? []
      if (refs.digest('hex') !== recorded) throw new Error('its refs differ')
      const [storedKib, objects] = [await sizeKib(repository), await countPackedObjects(repository)]
      const memory = memoryFor({ storedKib, objects })
      await runGit(['fsck', '--connectivity-only', '--no-dangling', '--no-progress'], {
        ...{ repository, memory, timeoutMs: fsckMs },
      })
    } catch (error) {
      this.faults.push(`the repository ${key}: ${describeFailure(error)}`)
    } finally {
      await rm(repositoryDir, { recursive: true, force: true })
    }
  }
}
