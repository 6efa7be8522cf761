import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { exportDatabase } from '@/db/backup/export'
import { writeStreamAtomic } from '@/server/kernel/fs/atomic-write'
import { type Environment, openExisting, readEnvironment } from './environment'
import { secretKeyForBackup } from './secret-key-file'
import { aboutFiles, aboutGitData, summarizeRows } from './summary'

/**
 * `backup [--output FILE]`: writes the whole content of the database to one file and returns the message to
 * print.
 */
export async function backup(args: string[], env: Environment): Promise<string> {
  const { values } = parseArgs({ args, options: { output: { type: 'string', short: 'o' } } })
  const environment = readEnvironment(env)
  const file = values.output ?? defaultName(new Date())
  // A key in the environment is the one in use; a key in the data directory is then unused and left out.
  const secretKey = environment.secretKey ? undefined : await secretKeyForBackup(environment.dataDir)
  const database = await openExisting(environment)
  try {
    const rows = await writeStreamAtomic(file, sink => exportDatabase(database.db, sink, { secretKey }))
    const { size } = await stat(file)
    return (
      `Wrote ${file}: ${summarizeRows(rows)}, ${size.toLocaleString('en')} bytes.\n` +
      aboutKey(secretKey !== undefined, environment.secretKey !== undefined) +
      aboutGitData(rows, environment.repositoryDir) +
      aboutFiles(rows, environment.storage)
    )
  } finally {
    await database.close()
  }
}

function aboutKey(carried: boolean, inEnvironment: boolean): string {
  if (carried) return 'It contains the secret key of this instance. Keep it as secure as the data itself.'
  if (inEnvironment)
    return 'It does not contain the secret key: GUILDHALL_SECRET_KEY is set in the environment. Store it separately.'
  return 'It contains no secret key because the data directory has none. If the server uses GUILDHALL_SECRET_KEY, store it separately.'
}

function defaultName(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  return `guildhall-${stamp}.backup`
}
