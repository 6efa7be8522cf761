import { parseArgs } from 'node:util'
import { moveDatabase } from '@/db/backup/move'
import { openDatabase } from '@/db/client'
import { readEnvironment } from './environment'
import { openExisting } from './open-existing'
import { runCommand } from './run-command'
import { summarise } from './summarise'

/** `db-move URL`: copies the embedded database of the data directory into an empty one on a server. */
await runCommand('db:move', async () => {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [databaseUrl] = positionals
  if (!databaseUrl || positionals.length > 1) {
    throw new Error('expected one argument, the target like postgres://user:password@host:5432/name')
  }
  const { dataDir } = readEnvironment()
  const source = await openExisting({ dataDir, databaseUrl: undefined }, { migrate: true })
  try {
    const target = await openDatabase({ databaseUrl, dataDir })
    try {
      const rows = await moveDatabase(source.db, target.db)
      return `Moved ${summarise(rows)}.\nFrom now on start Guildhall with DATABASE_URL set to the target.`
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
})
