import { setTimeout as delay } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { startPostgres } from '../testing/postgres-server'
import { openChannel } from './channel'

const server = await startPostgres()
afterAll(() => server?.stop())

it.skipIf(!server)('a channel that listens for long keeps no more than one that just began', async () => {
  const open = vi.fn()
  const channel = openChannel(
    server!.url,
    'for_long',
    { open, text: () => undefined, lost: () => undefined },
    { pingMs: 1 },
  )
  onTestFinished(() => channel.close())
  await vi.waitFor(() => expect(open).toHaveBeenCalled(), { timeout: 10_000 })
  const before = queryObjects(Promise, { format: 'count' })
  await delay(1_000)
  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(100)
})
