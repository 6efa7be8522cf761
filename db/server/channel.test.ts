import { afterAll, expect, it } from 'vitest'
import { compileScript } from '../testing/child-process'
import { startPostgres } from '../testing/postgres-server'

const server = await startPostgres()
afterAll(() => server?.stop())

// Says how many promises were added while the channel listened for a second, with a ping in each of its milliseconds.
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

// In a process of its own: counting looks at all objects, and those of other tests are many.
it.skipIf(!server)('a channel that listens for long keeps no more than one that just began', async () => {
  const script = await compileScript(listener)
  try {
    const child = script.start([server!.url])
    expect(Number(await child.line())).toBeLessThan(100)
    expect(await child.ended()).toMatchObject({ code: 0 })
  } finally {
    await script.remove()
  }
})
