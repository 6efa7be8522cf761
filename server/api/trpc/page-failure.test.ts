import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { createHttpServer } from '@/server/http/server'
import { keptLog } from '@/testing/kept-log'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { pageCaller } from './page-caller'

vi.mock('next/headers', () => ({ headers: async () => new Headers() }))

const kept = keptLog()
const site = useSite({}, kept.log)

it('a page that fails unexpectedly shows its request ID, and one line of the log has the reason', async () => {
  const { name: username } = await makePerson(site)
  await sql`alter table users rename to gone`.execute(site.db)
  let failure: unknown
  const server = createHttpServer(site.services, async (_, response) => {
    const found = pageCaller().then(caller => caller.users.get({ username }))
    failure = await found.catch(error => error)
    response.end()
  }).listen(0, '127.0.0.1')
  try {
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const requestId = (await fetch(`http://127.0.0.1:${port}/`)).headers.get('x-request-id')
    expect(failure).toMatchObject({ digest: requestId })
    const lines = kept
      .text()
      .split('\n')
      .filter(line => line.includes('unexpected failure'))
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      {
        level: 'error',
        time: expect.any(String),
        requestId,
        err: { message: expect.stringContaining('users') },
      },
    ])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
