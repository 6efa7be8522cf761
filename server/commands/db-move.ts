import { parseArgs } from 'node:util'
import { moveDatabase } from '@/db/backup/move'
import { openDatabase } from '@/db/client'
import { type Environment, openExisting, readEnvironment } from './environment'
import { summarizeRows } from './summary'

/**
 * `db-move [URL]`: copies the embedded database of the data directory into an empty database on a server, and
 * returns the message to print. Without the argument, which other users of the machine can read, the target is
 * DATABASE_URL.
 */
export async function moveToServer(args: string[], env: Environment): Promise<string> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const environment = readEnvironment(env)
  const [target = environment.databaseUrl] = positionals
  if (!target || positionals.length > 1) {
    throw new Error('set DATABASE_URL to the target, for example postgres://user:password@host:5432/name')
  }
  const { dataDir } = environment
  const source = await openExisting({ dataDir, databaseUrl: undefined }, { migrate: true })
  try {
    const server = await openDatabase({ databaseUrl: target, dataDir })
    try {
      const rows = await moveDatabase(source.db, server.db)
      return `Moved ${summarizeRows(rows)}.\nFrom now on, start Guildhall with DATABASE_URL set to the target.`
    } finally {
      await server.close()
    }
  } finally {
    await source.close()
  }
}
