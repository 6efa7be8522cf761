import { afterAll, expect, it, vi } from 'vitest'
import { mountSmallDisk, type SmallDisk } from '@/testing/small-disk'
import type { OpenDatabase } from '../handle'
import { copyEmbeddedDirectory } from '../testing/embedded-template'
import { unavailabilityOf } from '../unavailable'
import { EngineEnded, noticingEnd } from './end'
import type { Engine } from './engine'
import { embeddedDirectory, openEmbedded } from './open'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const disk = await mountSmallDisk(160)
afterAll(() => disk?.unmount())

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/**
 * Writes only to the write-ahead log, which grows in steps of 16 MiB, until that fails. Returns the error.
 */
async function fillLog({ pool }: OpenDatabase): Promise<unknown> {
  for (let written = 0; written < 200; written++) {
    const failure = await failureOf(
      pool.query("select pg_logical_emit_message(true, 'x', repeat($1, 400000))", ['y']),
    )
    if (failure) return failure
  }
  return undefined
}

it.skipIf(!disk)(
  'an engine that cannot write its log fails all queries and loses no committed data',
  async () => {
    const { directory } = disk as SmallDisk
    const at = embeddedDirectory(directory)
    await copyEmbeddedDirectory(at)
    const database = await openEmbedded(at)
    await database.pool.query('create table kept (n int)')
    await database.pool.query('insert into kept values (1)')
    await disk!.fill()
    expect(unavailabilityOf(await fillLog(database))).toBe('full')
    const asked = Promise.all(Array.from({ length: 5 }, () => failureOf(database.pool.query('select 1'))))
    for (const failure of await asked) expect(unavailabilityOf(failure), String(failure)).toBe('full')
    expect((await database.ended)!.message).toContain('No space left on device')
    await database.close()

    await expect(openEmbedded(at)).rejects.toThrow('If its disk is full, free up space')
    await disk!.empty()
    const again = await openEmbedded(at)
    expect((await again.pool.query('select n from kept')).rows).toEqual([{ n: 1 }])
    await again.close()
  },
)

it('an engine that returns no response counts as ended, but one that starts a copy does not', async () => {
  const ends: Error[] = []
  const answers = [message('G'), message('Z', 'I'), new Uint8Array()]
  const engine = noticingEnd(
    engineWith(async () => answers.shift()!),
    why => ends.push(why),
  )
  const ask = (letter: string): Promise<unknown> => engine.execute(message(letter))
  await ask('Q')
  await ask('S')
  expect(ends).toEqual([])
  for (const letter of ['S', 'Q', 'P'])
    expect(unavailabilityOf(await failureOf(ask(letter))), letter).toBe('failing')
  expect(ends).toHaveLength(1)
})

const engineWith = (execute: Engine['execute']): Engine => ({
  execute,
  close: async () => {},
  abandon: async () => {},
})

/** Returns a message of the protocol. */
function message(type: string, body = ''): Uint8Array {
  const head = Buffer.from(`${type}\0\0\0\0`)
  head.writeUInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}

/** Sends two messages to an engine before it responds to the first one. */
async function askTwo(first: () => Uint8Array, second: () => Uint8Array) {
  const ends: Error[] = []
  const waiting: (() => void)[] = []
  const answers = [first, second]
  const engine = noticingEnd(
    engineWith(async () => {
      const answer = answers.shift()!
      await new Promise<void>(resolve => waiting.push(resolve))
      return answer()
    }),
    why => ends.push(why),
  )
  const asked = [0, 1].map(() => failureOf(engine.execute(message('Q'))))
  for (const answer of waiting) answer()
  return { engine, ends, failures: await Promise.all(asked) }
}

it.each([
  ['a response', message('Z', 'I')],
  ['no response', new Uint8Array()],
])('an engine that has ended stays ended, even if an earlier query gets %s', async (_, later) => {
  const panic = message('E', 'VPANIC\0C53100\0Mno space\0\0')
  const { engine, ends, failures } = await askTwo(
    () => panic,
    () => later,
  )
  const next = await failureOf(engine.execute(message('P')))
  for (const failure of [...failures, next]) expect(unavailabilityOf(failure)).toBe('full')
  expect(ends).toHaveLength(1)
})

it('an engine counts as ended if it says so, but not after another error', async () => {
  const raise = (error: Error) => (): never => {
    throw error
  }
  const { ends, failures } = await askTwo(
    raise(new TypeError('of ours')),
    raise(new EngineEnded('unreachable')),
  )
  expect(failures.map(unavailabilityOf)).toEqual([undefined, 'failing'])
  expect(ends.map(String)).toEqual([expect.stringContaining('unreachable')])
})
