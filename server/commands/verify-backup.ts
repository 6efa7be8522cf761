import { parseArgs } from 'node:util'
import { verifyBackup, verifyPresence } from '@/server/backups'
import { backupLocationOf, openBackupLocation } from './backup-location'
import type { Environment } from './environment'
import { progressBar } from './progress-bar'
import { Faults, formatCount } from './summary'

/**
 * `verify-backup [LOCATION] [--quick] [--at TIME] [--identity FILE] [--scratch DIRECTORY]`: restores a backup into
 * a scratch location and compares everything, or checks only that all its pieces are there. Returns the message to
 * print.
 * @throws {Error} listing every fault
 */
export async function verify(args: string[], env: Environment): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      at: { type: 'string' },
      identity: { type: 'string' },
      scratch: { type: 'string' },
    },
  })
  const bar = progressBar(process.stderr)
  const location = await openBackupLocation(backupLocationOf(positionals, env), env, {
    isListOnly: values.quick,
    identityFile: values.identity,
  })
  const { at, scratch: scratchDir } = values
  const found = await (values.quick
    ? verifyPresence(location, at)
    : verifyBackup(location, { at, scratchDir, onProgress: bar.show })
  ).finally(bar.clear)
  const { startedAt, rows, repositories, objects, faults } = found
  const content = `${formatCount(repositories, 'repository', 'repositories')} and ${formatCount(objects, 'object', 'objects')}`
  if (faults.length > 0) {
    const count = formatCount(faults.length, 'fault', 'faults')
    throw new Faults(`the backup of ${startedAt} has ${count}:`, faults)
  }
  return values.quick
    ? `All pieces of the backup of ${startedAt} are there, with ${content}. Their content was not read.`
    : `The backup of ${startedAt} can be restored: ${formatCount(rows, 'row', 'rows')}, ${content} are complete.`
}
