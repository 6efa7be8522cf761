import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type ImportHooks, importDatabase, type Restored } from '@/db/backup/import'
import type { Db } from '@/db/client'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { writeFileAtomic } from '@/server/kernel/fs/atomic-write'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import type { PushNote, RefUpdate } from '@/server/repos/push'
import { inOrder } from '../in-order'
import type { IndexedRepository, Move, StoredFile } from '../index-file'
import { createProgress, type ProgressState } from '../progress'
import { endRestored } from '../store'
import { fetchFiles } from './fetch'
import { spoolMoves } from './moves'
import type { OpenSnapshot } from './open-snapshot'
import { restoreRepository } from './repository'

export interface RestoreOptions {
  opened: OpenSnapshot
  db: Db
  repositoryDir: string
  storage: ObjectStorage
  hooks: ImportHooks
  onProgress?: ((state: ProgressState) => void) | undefined
}

export interface RestoreSummary extends Restored {
  repositories: number
  objects: number
  /** Repositories of the snapshot that the backup lacks, because the site had lost them. */
  missing: number
  /** What was already there from an interrupted restoration of the same backup. */
  resumed: number
  /** Pushes to record: the refs that moved after the snapshot of the database. */
  pushes: { note: PushNote; updates: RefUpdate[] }[]
}

const concurrency = 4
const maxObjects = 500

/**
 * Restores a backup into an empty site: repositories, then objects, then the database in one transaction. If
 * it is interrupted before that, it can be repeated and continues. The refs that moved after the snapshot of
 * the database are left in the spool of pushes for the caller, or the next start of the server, to record.
 * @throws {Error} if the site is not empty, or something in the backup is missing or damaged
 */
export async function restoreSite(options: RestoreOptions): Promise<RestoreSummary> {
  const { opened, db, repositoryDir, hooks } = options
  const marker = join(repositoryDir, 'restoring')
  await requireEmptySite(options, marker)
  await makeDirectory(repositoryDir)
  await writeFileAtomic(marker, opened.snapshot.key)
  const found = await restoreFiles(options)
  await rm(join(repositoryDir, 'making'), { recursive: true, force: true })
  const pushes = await spoolMoves(found.moves, found.repositories, repositoryDir, opened.snapshot)
  const restored = await importDatabase(db, Readable.from(opened.readDatabase()), {
    ...hooks,
    async beforeCommit(header, trx) {
      await endRestored(trx)
      await hooks.beforeCommit?.(header, trx)
    },
  })
  await rm(marker, { force: true })
  const { objects, resumed, missing } = found
  return { ...restored, repositories: found.repositories.size, objects, missing, resumed, pushes }
}

interface RestoredFiles {
  /** Keys by ID. */
  repositories: Map<number, string>
  objects: number
  missing: number
  resumed: number
  moves: Move[]
}

async function restoreFiles({
  opened,
  repositoryDir,
  storage,
  onProgress,
}: RestoreOptions): Promise<RestoredFiles> {
  const { location, snapshot } = opened
  const progress = createProgress(onProgress)
  const all: RestoredFiles = { repositories: new Map(), objects: 0, missing: 0, resumed: 0, moves: [] }
  const fetching = { onBytes: progress.bytes }
  const restoreOne = async ({ repository, files }: WithFiles): Promise<void> => {
    const { id, key, isMissing } = repository
    if (isMissing) all.missing++
    else {
      if (!(await restoreRepository(location, { repositoryDir, key, files }, fetching))) all.resumed++
      all.repositories.set(id, key)
    }
    progress.step()
  }
  const restoreObjects = async (files: readonly StoredFile[]): Promise<void> => {
    const wanted: StoredFile[] = []
    for (const file of files) {
      if ((await storage.size(file[0])) === file[1]) all.resumed++
      else wanted.push(file)
    }
    await fetchFiles(location, wanted, { ...fetching, write: ([key], content) => storage.put(key, content) })
    all.objects += files.length
    for (const _ of files) progress.step()
  }
  progress.begin('repositories', snapshot.repositories)
  for await (const _ of inOrder(repositoriesIn(opened), concurrency, restoreOne)) {
    // Counted by the work itself.
  }
  progress.begin('objects', snapshot.objects)
  for await (const _ of inOrder(objectsIn(opened), 2, restoreObjects)) {
    // Counted by the work itself.
  }
  for await (const part of opened.parts()) if ('move' in part) all.moves.push(part.move)
  return all
}

interface WithFiles {
  repository: IndexedRepository
  files: StoredFile[]
}

/** Returns the repositories of a backup. */
export async function* repositoriesIn(opened: OpenSnapshot): AsyncGenerator<WithFiles> {
  for await (const part of opened.parts()) if ('repository' in part) yield part
}

/** Returns the objects of a backup in groups, so that a piece that several share is read once per group. */
export async function* objectsIn(opened: OpenSnapshot): AsyncGenerator<StoredFile[]> {
  let group: StoredFile[] = []
  for await (const part of opened.parts()) {
    if (!('object' in part)) continue
    group.push(part.object)
    if (group.length < maxObjects) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

// What an interrupted restoration of the same backup has left behind does not count.
async function requireEmptySite(
  { opened, repositoryDir, storage }: RestoreOptions,
  marker: string,
): Promise<void> {
  const begun = await readFile(marker, 'utf8').catch(undefinedIfAbsent)
  if (begun === opened.snapshot.key) return
  const names = (await readdir(repositoryDir).catch(undefinedIfAbsent)) ?? []
  const why = begun === undefined ? '' : ' from the interrupted restoration of another backup'
  if (begun !== undefined || names.some(name => /^[0-9a-f]{2}$/.test(name))) {
    throw new Error(`the repository directory ${repositoryDir} is not empty${why}; choose an empty one`)
  }
  for await (const { key } of storage.list()) {
    // The mark of the site is not content.
    if (/[^0]/.test(key)) throw new Error('the object storage is not empty; choose an empty one')
  }
}
