import { createHash, randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { makeAttachment, makeRelease } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { parseConfig } from '@/server/kernel/config'
import { createLog } from '@/server/kernel/log'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { newObjectKey } from '@/server/kernel/storage/key'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { settlePush } from '@/server/repos/push'
import { repositoryPath } from '@/server/repos/storage'
import { createServices, jobContext, type Services } from '@/server/services'
import { gitOk } from '@/testing/git'
import {
  addressOf,
  commit,
  type GitRepository,
  makeGitRepository,
  startLocal,
} from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import type { Site } from '@/testing/site'
import { directSite } from '../live'
import type { Secrets } from '../location/encryption'
import { type BackupLocation, openLocation } from '../location/location'
import { openSnapshot } from '../restore/open-snapshot'
import { type RestoreSummary, restoreSite } from '../restore/restore'
import { type BackupOptions, type BackupSummary, runBackup } from '../run'
import { type Verification, verifyBackup } from '../verify'

const log = createLog('silent')

/** A site with content, and directories for its backups. */
export interface BackedUpSite {
  ada: Person
  repositories: GitRepository[]
  /** A local clone that can push to the repository of the same number. */
  locals: string[]
  /** Returns a new path in a temporary directory. */
  path(name?: string): string
}

/** Fills a site with repositories and objects before the tests, and deletes the directories after them. */
export function useContent(site: Site, count = 5): BackedUpSite {
  const content = { repositories: [] as GitRepository[], locals: [] as string[] } as BackedUpSite
  let home = ''
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'guildhall-backup-'))
    content.path = (name = randomBytes(4).toString('hex')) => join(home, name)
    content.ada = await makePerson(site)
    for (let n = 0; n < count; n++) {
      const repository = await makeGitRepository(site, content.ada.account)
      const local = content.path()
      await startLocal(local)
      content.repositories.push(repository)
      content.locals.push(local)
      await pushFrom(site, content, n, 'HEAD:refs/heads/main')
      await addObject(site, repository, n % 2 === 0 ? 1000 * n : 1_500_000)
    }
  })
  afterAll(() => rm(home, { recursive: true, force: true }))
  return content
}

/** Pushes from the local clone of a repository. */
export async function pushFrom(
  site: Site,
  { repositories, locals, ada }: BackedUpSite,
  n: number,
  ...refs: string[]
): Promise<void> {
  const address = addressOf(site, repositories[n]!, ada)
  await gitOk(['push', '-q', address, ...refs], { cwd: locals[n]! })
}

/** Commits in the local clone of a repository, and pushes it to `main`. */
export async function pushCommit(site: Site, content: BackedUpSite, n: number): Promise<void> {
  await commit(content.locals[n]!)
  await pushFrom(site, content, n, 'HEAD:refs/heads/main')
}

/** Adds a file to a new release of a repository, and returns its key. */
export async function addObject(site: Site, repository: GitRepository, size: number): Promise<string> {
  const key = newObjectKey()
  const stored = await site.services.storage.put(key, Readable.from([randomBytes(size)]))
  const release = await makeRelease(site.db, repository.id, { tag_name: `v${key.slice(0, 6)}` })
  await makeAttachment(site.db, release, { storage_key: key, ...stored })
  return key
}

export const openLocationAt = (directory: string, secrets: Secrets = {}): Promise<BackupLocation> =>
  openLocation(
    {
      data: { kind: 'disk', directory: join(directory, 'data') },
      snapshots: { kind: 'disk', directory: join(directory, 'snapshots') },
    },
    { secrets, log, create: true },
  )

/** Backs up a site as a command does that can use the site's database. */
export function backUp(
  { services }: Site,
  location: BackupLocation,
  { signal, ...options }: Partial<BackupOptions> & { workDir: string; signal?: AbortSignal },
): Promise<BackupSummary> {
  const prepare = async (): Promise<BackupOptions> => ({
    location,
    repositoryDir: services.config.repositoryDir,
    storage: services.storage,
    secretKey: undefined,
    keep: 7,
    ...options,
  })
  return runBackup(directSite(services, { isAlone: false }), prepare, signal)
}

/** Verifies the newest backup with a database that is opened faster than a new one. */
export const verified = (location: BackupLocation): Promise<Verification> =>
  verifyBackup(location, { openDatabase: () => openTestDatabase() })

/** A site restored elsewhere. */
export interface RestoredSite {
  database: OpenDatabase
  repositoryDir: string
  storage: ObjectStorage
  services: Services
  summary: RestoreSummary
}

/** Restores the newest backup into an empty site in this directory, and records the refs that moved. */
export async function restoreInto(directory: string, location: BackupLocation): Promise<RestoredSite> {
  const database = await openTestDatabase()
  const repositoryDir = join(directory, 'repositories')
  const storage = createDiskStorage(join(directory, 'objects'), log)
  const summary = await restoreSite({
    opened: await openSnapshot(location),
    ...{ db: database.db, repositoryDir, storage, hooks: {} },
  })
  const config = { ...parseConfig({ GUILDHALL_DATA_DIR: directory }), secretKey: 'k'.repeat(32) }
  const services = createServices(config, database, storage, log)
  const ctx = jobContext(services, 'restore')
  for (const { note, updates } of summary.pushes) await settlePush(ctx, note, { done: updates })
  return { database, repositoryDir, storage, services, summary }
}

/** Returns the refs of all repositories in a directory that a database names, by storage key. */
export async function refsOfAll(
  { db }: Pick<OpenDatabase, 'db'>,
  repositoryDir: string,
): Promise<Record<string, string>> {
  const rows = await db.selectFrom('repositories').select('storage_key').orderBy('storage_key').execute()
  const all: Record<string, string> = {}
  for (const { storage_key: key } of rows) {
    const directory = repositoryPath({ repositoryDir }, key)
    all[key] = await gitOk(['--git-dir', directory, 'for-each-ref'])
    await gitOk(['--git-dir', directory, 'fsck', '--full', '--strict'])
  }
  return all
}

/** Returns the content of all objects that a database names, as hexadecimal SHA-256 digests by key. */
export async function digestsOfAll(
  { db }: Pick<OpenDatabase, 'db'>,
  storage: ObjectStorage,
): Promise<Record<string, string>> {
  const { rows } = await sql<{ key: string; sha256: string }>`
    select storage_key as key, encode(sha256, 'hex') as sha256 from attachments order by 1`.execute(db)
  for (const { key, sha256 } of rows) {
    const bytes = await buffer(await storage.get(key))
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${key} is damaged`)
  }
  return Object.fromEntries(rows.map(({ key, sha256 }) => [key, sha256]))
}

/** Returns the names of all stored pieces of a location on disk. */
export async function piecesIn(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'data'), { recursive: true })
  return names.filter(name => name.length > 32).sort()
}

/** Copies a location, so that a test can damage it. */
export const copyLocation = (from: string, to: string): Promise<void> => cp(from, to, { recursive: true })
