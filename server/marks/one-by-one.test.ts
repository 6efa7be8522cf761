import { afterAll, describe, expect, it } from 'vitest'
import { withAdvisoryLock } from '@/db/advisory-lock'
import { openServer } from '@/db/server/open'
import { startPostgres } from '@/db/testing/postgres-server'
import { createServerDatabase } from '@/db/testing/server-template'
import { ConfigError } from '@/server/kernel/config-error'
import { createLog } from '@/server/kernel/log'
import { oneByOne } from './one-by-one'

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server)('a start that waits for another process', () => {
  it('logs once which session it is waiting for, and fails with its ID if that session does not finish', async () => {
    const fresh = await createServerDatabase(server!.url)
    const database = await openServer(fresh.url, { poolSize: 2 })
    const lines: { msg: string; holder: { pid: number } }[] = []
    const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
    const wait = (giveUpMs: number) =>
      oneByOne(database, log, async () => 'done', { warnMs: 150, giveUpMs }).catch((error: unknown) => error)
    await withAdvisoryLock(database, 'site.marks', new AbortController().signal, async () => {
      const failure = await wait(600)
      expect(failure).toBeInstanceOf(ConfigError)
      expect(lines).toHaveLength(1)
      const { pid } = lines[0]!.holder
      expect((failure as Error).message).toMatch(
        new RegExp(`^DATABASE_URL: .* session ${pid} of the database`),
      )
    })
    expect(await wait(600)).toBe('done')
    expect(lines).toHaveLength(1)
    await database.close()
    await fresh.drop()
  })
})
