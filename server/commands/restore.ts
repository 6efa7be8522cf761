import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type ImportHooks, importDatabase, requireRestorable } from '@/db/backup/import'
import { type OpenDatabase, openDatabase } from '@/db/client'
import { type OpenSnapshot, openSnapshot, type RestoreSummary, restoreSite } from '@/server/backups'
import { blaming } from '@/server/kernel/blame'
import { parseConfig } from '@/server/kernel/config'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { createLog } from '@/server/kernel/log'
import { readSecretKey } from '@/server/kernel/secret-key-file'
import { openStorage } from '@/server/kernel/storage/open'
import { adoptLocation, locationsOf, oneByOne, requireKeyOfMarks } from '@/server/marks'
import { settlePush } from '@/server/repos/push'
import { createServices, jobContext } from '@/server/services'
import { openBackupLocation } from './backup-location'
import { type CommandEnvironment, type Environment, readEnvironment } from './environment'
import { progressBar } from './progress-bar'
import { keyIn, putBackSecretKey, refuseOtherKey } from './secret-key-file'
import { aboutRestoredFiles, aboutRestoredGitData, formatCount, summarizeRows } from './summary'

/**
 * `restore LOCATION [--at TIME] [--identity FILE]`: restores a whole site into an empty one, and returns the
 * message to print. If LOCATION is a file of a former version, restores only the database that it contains.
 */
export async function restore(args: string[], env: Environment): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { at: { type: 'string' }, identity: { type: 'string' } },
  })
  const [location] = positionals
  if (!location || positionals.length > 1)
    throw new Error('expected one argument: the location of the backups')
  const isFile = await isReadableFile(location)
  const environment = readEnvironment(env)
  const { databaseUrl, dataDir } = environment
  // Opened first, so that a mistake in the location leaves no empty database behind.
  const opened = isFile ? undefined : await openBackup(location, values, env)
  if (!databaseUrl) await blaming('GUILDHALL_DATA_DIR', () => makeDirectory(dataDir))
  const database = await openDatabase({ databaseUrl, dataDir })
  try {
    const hooks = hooksFor(environment)
    return await (opened
      ? restoreFromLocation(opened, database, env, hooks)
      : restoreFile(location, database, environment, hooks))
  } finally {
    await database.close()
  }
}

function hooksFor({ dataDir, secretKey }: CommandEnvironment): ImportHooks {
  return {
    onHeader: found => refuseOtherKey(dataDir, found.secretKey),
    async beforeCommit(found, trx) {
      const key = secretKey ?? (keyIn(found.secretKey) || (await readSecretKey(dataDir)))
      if (key) await requireKeyOfMarks(trx, key)
      await putBackSecretKey(dataDir, found.secretKey)
    },
  }
}

async function openBackup(
  location: string,
  { at, identity }: { at?: string | undefined; identity?: string | undefined },
  env: Environment,
): Promise<OpenSnapshot> {
  return await openSnapshot(await openBackupLocation(location, env, { identityFile: identity }), at)
}

async function restoreFromLocation(
  opened: OpenSnapshot,
  database: OpenDatabase,
  env: Environment,
  hooks: ImportHooks,
): Promise<string> {
  const log = createLog('error', process.stderr)
  const config = parseConfig(env)
  const storage = await openStorage(config.storage, createLog('silent'))
  // Checked first, because the database is restored last.
  await hooks.onHeader?.(await requireRestorable(database.db, await opened.readDatabaseHeader()))
  const bar = progressBar(process.stderr)
  const { repositoryDir } = config
  const restored = await restoreSite({
    ...{ opened, repositoryDir, storage, hooks, onProgress: bar.show },
    db: database.db,
  }).finally(bar.clear)
  await adoptLocations(database, locationsOf(config, storage), restored.missing > 0)
  const ctx = jobContext(createServices(config, database, storage, log), 'restore')
  for (const { note, updates } of restored.pushes) await settlePush(ctx, note, { done: updates })
  return aboutRestored(opened.snapshot.startedAt, restored)
}

// The database knows the marks of the site that was backed up. New ones keep the two apart.
async function adoptLocations(
  database: OpenDatabase,
  locations: ReturnType<typeof locationsOf>,
  incomplete: boolean,
): Promise<void> {
  const log = createLog('error', process.stderr)
  const adopted = await oneByOne(database, log, async () => {
    const results: Awaited<ReturnType<typeof adoptLocation>>[] = []
    for (const location of locations) {
      results.push(await adoptLocation(database.db, location, { incomplete, foreign: true }))
    }
    return results
  })
  const refused = adopted.filter(({ isOwn }) => !isOwn).map(({ says }) => says)
  if (refused.length > 0) throw new Error(`the site was restored, but ${refused.join(' ')}`)
}

function aboutRestored(
  startedAt: string,
  { header, rows, repositories, objects, missing, resumed, pushes }: RestoreSummary,
): string {
  const moved = pushes.reduce((sum, { updates }) => sum + updates.length, 0)
  return [
    `Restored the site as of ${startedAt}: ${summarizeRows(rows)}, ` +
      `${formatCount(repositories, 'repository', 'repositories')}, ${formatCount(objects, 'object', 'objects')}.`,
    ...(resumed > 0 ? [`Of these, ${resumed} were there from an interrupted restoration.`] : []),
    ...(missing > 0
      ? [`The backup lacks ${formatCount(missing, 'repository', 'repositories')} that the site had lost.`]
      : []),
    ...(moved > 0
      ? [
          `Recorded ${formatCount(moved, 'ref', 'refs')} in ${formatCount(pushes.length, 'repository', 'repositories')} ` +
            'that moved while the backup was made, as pushes by the system.',
        ]
      : []),
    ...(header.secretKey === undefined
      ? [
          'The backup has no secret key: set GUILDHALL_SECRET_KEY, or put the file secret-key into the data directory.',
        ]
      : []),
  ].join('\n')
}

async function restoreFile(
  file: string,
  { db }: OpenDatabase,
  { repositoryDir, storage }: CommandEnvironment,
  hooks: ImportHooks,
): Promise<string> {
  const { header, rows } = await importDatabase(db, createReadStream(file), hooks)
  return (
    `Restored the backup of ${header.createdAt}: ${summarizeRows(rows)}.` +
    aboutRestoredGitData(rows, repositoryDir) +
    aboutRestoredFiles(rows, storage)
  )
}

async function isReadableFile(location: string): Promise<boolean> {
  if (/^\w+:\/\//.test(location)) return false
  const found = await stat(location).catch(undefinedIfAbsent)
  if (!found) throw new Error(`there is no backup at ${location}`)
  await access(location, constants.R_OK).catch(() => {
    throw new Error(
      `${location} cannot be read by this user; change its permissions, or run this command as its owner`,
    )
  })
  return !found.isDirectory()
}
