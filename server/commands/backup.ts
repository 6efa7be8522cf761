import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { exportDatabase } from '@/db/backup/export'
import { readEnvironment } from './environment'
import { openExisting } from './open-existing'
import { runCommand } from './run-command'
import { readSecretKey } from './secret-key-file'
import { summarise } from './summarise'
import { writeWholeFile } from './whole-file'

// Above the work, which begins as soon as the file is read.
const noKey =
  /** `backup [--output FILE]`: writes everything the database holds into one file. */
  await runCommand('backup', async () => {
    const { values } = parseArgs({ options: { output: { type: 'string', short: 'o' } } })
    const environment = readEnvironment()
    const file = values.output ?? defaultName(new Date())
    const secretKey = await readSecretKey(environment.dataDir)
    const database = await openExisting(environment)
    try {
      const rows = await writeWholeFile(file, sink => exportDatabase(database.db, sink, { secretKey }))
      const { size } = await stat(file)
      const key = secretKey ? 'It holds the instance’s secret key: keep it as safe as the data.' : noKey
      return `Wrote ${file}: ${summarise(rows)}, ${size.toLocaleString('en')} bytes.\n${key}`
    } finally {
      await database.close()
    }
  })

;('It holds no secret key, because the data directory has none: keep GUILDHALL_SECRET_KEY yourself.')

function defaultName(now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  return `guildhall-${stamp}.backup`
}
