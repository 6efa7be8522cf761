import { afterAll, expect, it } from 'vitest'
import { compileScript } from '../testing/child-process'
import { startPostgres } from '../testing/postgres-server'

const server = await startPostgres()
afterAll(() => server?.stop())

// Prints how many promises were added while the channel listened for a second and pinged every millisecond.
const listener = `
  import { setTimeout as delay } from 'node:timers/promises'
  import { queryObjects } from 'node:v8'
  import { openChannel } from './db/server/channel'
  const count = () => queryObjects(Promise, { format: 'count' })
  const channel = openChannel(process.argv[2], 'for_long', { open, text() {}, lost() {} }, { pingMs: 1 })
  async function open() {
    const before = count()
    await delay(1_000)
    console.log(count() - before)
    await channel.close()
  }`

// Runs in a separate process, because it counts all objects, including those of other tests.
it.skipIf(!server)('a channel does not leak promises while it listens', async () => {
  const script = await compileScript(listener)
  try {
    const child = script.start([server!.url])
    expect(Number(await child.line())).toBeLessThan(100)
    expect(await child.ended()).toMatchObject({ code: 0 })
  } finally {
    await script.remove()
  }
})
