import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type BackupLocation,
  type BackupSummary,
  connectToSite,
  directSite,
  type LiveSite,
  NoBackups,
  runBackup,
} from '@/server/backups'
import { parseBackupSettings } from '@/server/kernel/config'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { writeFileAtomic } from '@/server/kernel/fs/atomic-write'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { createLog } from '@/server/kernel/log'
import { readSecretKey } from '@/server/kernel/secret-key-file'
import { openStorage } from '@/server/kernel/storage/open'
import { guardLocations, locationsOf } from '@/server/marks'
import { backupLocationOf, openBackupLocation } from './backup-location'
import { type CommandEnvironment, type Environment, openExisting, readEnvironment } from './environment'
import { progressBar } from './progress-bar'
import { Faults, formatBytes, formatCount } from './summary'

/**
 * `backup [LOCATION] [--foreign]`: backs up the whole site while it runs, and returns the message to print. Without
 * the argument, the location is that of scheduled backups.
 * @throws {Error} also if the backup is complete but the site itself lacks data
 */
export async function backup(args: string[], env: Environment, signal: AbortSignal): Promise<string> {
  const options = { foreign: { type: 'boolean' } } as const
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const environment = readEnvironment(env)
  const { dataDir, repositoryDir } = environment
  const log = createLog('error', process.stderr)
  const storage = await openStorage(environment.storage, createLog('silent'))
  const address = backupLocationOf(positionals, env)
  const bar = progressBar(process.stderr)
  const { live, close } = await reach(environment)
  let hasKey = false
  const prepare = async () => {
    const location = await openOwn(address, join(dataDir, 'backups'), env)
    // A key in the environment is the one in use; a key in the data directory is then unused and left out.
    const key = environment.secretKey ? undefined : await readSecretKey(dataDir)
    hasKey = location.cipher.isEncrypted && key !== undefined
    return {
      ...{ location, repositoryDir, storage },
      workDir: join(dataDir, 'backups', location.id),
      acceptsForeign: values.foreign === true,
      secretKey: key && Buffer.from(`${key}\n`).toString('base64'),
      keep: parseBackupSettings(env).keep,
      onProgress: bar.show,
    }
  }
  try {
    return aboutBackup(await runBackup(live, prepare, signal), hasKey)
  } finally {
    bar.clear()
    await close()
  }

  async function reach(
    environment: CommandEnvironment,
  ): Promise<{ live: LiveSite; close: () => Promise<void> }> {
    const remote = environment.databaseUrl ? undefined : await connectToSite(environment.dataDir)
    if (remote) return { live: remote.live, close: async () => remote.close() }
    const database = await openExisting(environment)
    const { db, kind, close } = database
    const ownLocations = guardLocations(db, locationsOf(environment, storage), log)
    return { live: directSite({ db, ownLocations }, { isAlone: kind === 'embedded' }), close }
  }
}

/**
 * Opens a location, and begins it if this site has never used its address. An unmounted disk or a wrong bucket must
 * not look like a new location.
 */
async function openOwn(address: string, workDirs: string, env: Environment): Promise<BackupLocation> {
  const name = /^\w+:\/\//.test(address) ? address : resolve(address)
  const used = await dirUsedFor(name, workDirs)
  const location = await openBackupLocation(address, env, { create: used === undefined }).catch(error => {
    if (used === undefined || !(error.cause instanceof NoBackups)) throw error
    throw new Error(
      `the backups that were made to ${name} are not there; mount it, or delete ${used} to begin anew`,
      { cause: error },
    )
  })
  const workDir = join(workDirs, location.id)
  await makeDirectory(workDir)
  await writeFileAtomic(join(workDir, addressFile), name)
  return location
}

const addressFile = 'address'

async function dirUsedFor(name: string, workDirs: string): Promise<string | undefined> {
  for (const id of (await readdir(workDirs).catch(undefinedIfAbsent)) ?? []) {
    const workDir = join(workDirs, id)
    const known = await readFile(join(workDir, addressFile), 'utf8').catch(() => undefined)
    if (known === name) return workDir
  }
  return undefined
}

function aboutBackup(summary: BackupSummary, hasKey: boolean): string {
  const { startedAt, repositories, objects, sizeBytes, copiedBytes, removedBackups, faults } = summary
  const damaged = summary.damagedBackups.length
  const text =
    `Backed up the site as of ${startedAt.toISOString()}: ` +
    `${formatCount(repositories, 'repository', 'repositories')}, ${formatCount(objects, 'object', 'objects')}, ` +
    `${formatBytes(sizeBytes)}, of which ${formatBytes(copiedBytes)} ${copiedBytes === 1 ? 'is' : 'are'} new.\n` +
    `${removedBackups === 0 ? '' : `Removed ${formatCount(removedBackups, 'older backup', 'older backups')}.\n`}` +
    `${damaged === 0 ? '' : `The lists of ${formatCount(damaged, 'older backup', 'older backups')} are damaged. Verify them.\n`}` +
    (hasKey
      ? 'The secret key of this site is in it, encrypted.'
      : 'The secret key of this site is not in it. Store it separately.')
  if (faults.length > 0) throw new Faults(`${text}\nThe site lacks data:`, faults)
  return text
}
