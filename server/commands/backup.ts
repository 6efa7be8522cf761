import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { exportDatabase } from '@/db/backup/export'
import { writeStreamAtomic } from '@/server/kernel/fs/atomic-write'
import { type Environment, openExisting, readEnvironment } from './environment'
import { secretKeyForBackup } from './secret-key-file'
import { aboutFiles, aboutGitData, summarizeRows } from './summary'

/** `backup [--output FILE]`: writes everything the database holds into one file. */
export async function backup(args: string[], env: Environment): Promise<string> {
  const { values } = parseArgs({ args, options: { output: { type: 'string', short: 'o' } } })
  const environment = readEnvironment(env)
  const file = values.output ?? defaultName(new Date())
  // A key in the environment is the one in use; the data directory's, if any, is then of no use.
  const secretKey = environment.keyInEnvironment ? undefined : await secretKeyForBackup(environment.dataDir)
  const database = await openExisting(environment)
  try {
    const rows = await writeStreamAtomic(file, sink => exportDatabase(database.db, sink, { secretKey }))
    const { size } = await stat(file)
    return (
      `Wrote ${file}: ${summarizeRows(rows)}, ${size.toLocaleString('en')} bytes.\n` +
      aboutKey(secretKey !== undefined, environment.keyInEnvironment) +
      aboutGitData(rows, environment.repositoryDir) +
      aboutFiles(rows, environment.storage)
    )
  } finally {
    await database.close()
  }
}

function aboutKey(carried: boolean, inEnvironment: boolean): string {
  if (carried) return 'It holds the secret key of this instance: keep it as safe as the data.'
  if (inEnvironment)
    return 'It holds no secret key: GUILDHALL_SECRET_KEY is in the environment; keep it separately.'
  return 'It holds no secret key, for the data directory has none: if the server gets GUILDHALL_SECRET_KEY, keep it separately.'
}

function defaultName(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  return `guildhall-${stamp}.backup`
}
