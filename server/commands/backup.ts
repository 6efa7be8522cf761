import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BackupSummary, connectToSite, directSite, type LiveSite, runBackup } from '@/server/backups'
import { parseBackupSettings } from '@/server/kernel/config'
import { createLog } from '@/server/kernel/log'
import { readSecretKey } from '@/server/kernel/secret-key-file'
import { openStorage } from '@/server/kernel/storage/open'
import { guardLocations, locationsOf } from '@/server/marks'
import { backupLocationOf, openBackupLocation } from './backup-location'
import { type CommandEnvironment, type Environment, openExisting, readEnvironment } from './environment'
import { progressBar } from './progress-bar'
import { Faults, formatBytes, formatCount } from './summary'

/**
 * `backup [LOCATION]`: backs up the whole site while it runs, and returns the message to print. Without the
 * argument, the location is that of scheduled backups.
 * @throws {Error} also if the backup is complete but the site itself lacks data
 */
export async function backup(args: string[], env: Environment, signal: AbortSignal): Promise<string> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const environment = readEnvironment(env)
  const { dataDir, repositoryDir } = environment
  const log = createLog('error', process.stderr)
  const storage = await openStorage(environment.storage, createLog('silent'))
  const bar = progressBar(process.stderr)
  const { live, close } = await reach(environment)
  try {
    const location = await openBackupLocation(backupLocationOf(positionals, env), env, { create: true })
    // A key in the environment is the one in use; a key in the data directory is then unused and left out.
    const key = environment.secretKey ? undefined : await readSecretKey(dataDir)
    const summary = await runBackup({
      ...{ live, location, repositoryDir, storage, signal },
      workDir: join(dataDir, 'backups', location.id),
      secretKey: key && Buffer.from(`${key}\n`).toString('base64'),
      keep: parseBackupSettings(env).keep,
      onProgress: bar.show,
    })
    return aboutBackup(summary, location.cipher.isEncrypted && key !== undefined)
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

function aboutBackup(summary: BackupSummary, hasKey: boolean): string {
  const { startedAt, repositories, objects, sizeBytes, copiedBytes, removedBackups, faults } = summary
  const text =
    `Backed up the site as of ${startedAt.toISOString()}: ` +
    `${formatCount(repositories, 'repository', 'repositories')}, ${formatCount(objects, 'object', 'objects')}, ` +
    `${formatBytes(sizeBytes)}, of which ${formatBytes(copiedBytes)} ${copiedBytes === 1 ? 'is' : 'are'} new.\n` +
    `${removedBackups === 0 ? '' : `Removed ${formatCount(removedBackups, 'older backup', 'older backups')}.\n`}` +
    (hasKey
      ? 'The secret key of this site is in it, encrypted.'
      : 'The secret key of this site is not in it. Store it separately.')
  if (faults.length > 0) throw new Faults(`${text}\nThe site lacks data:`, faults)
  return text
}
