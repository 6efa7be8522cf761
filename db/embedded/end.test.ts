import { afterAll, expect, it, vi } from 'vitest'
import { mountSmallDisk, type SmallDisk } from '@/testing/small-disk'
import type { OpenDatabase } from '../handle'
import { copyEmbeddedDirectory } from '../testing/embedded-template'
import { unavailabilityOf } from '../unavailable'
import { noticingEnd } from './end'
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
  const answers: { name: string }[][] = [[{ name: 'copyInResponse' }], [{ name: 'readyForQuery' }], []]
  const engine = noticingEnd(
    { waitReady: Promise.resolve(), execProtocolStream: async () => answers.shift() as never },
    why => ends.push(why),
  )
  const ask = (letter: string): Promise<unknown> =>
    engine.execProtocolStream(Uint8Array.of(letter.charCodeAt(0)))
  await ask('Q')
  await ask('S')
  expect(ends).toEqual([])
  for (const letter of ['S', 'Q', 'P'])
    expect(unavailabilityOf(await failureOf(ask(letter))), letter).toBe('failing')
  expect(ends).toHaveLength(1)
})

/** Sends two messages to an engine before it responds to the first one. */
async function askTwo(first: () => unknown, second: () => unknown) {
  const ends: Error[] = []
  const waiting: (() => void)[] = []
  const answers = [first, second]
  const engine = noticingEnd(
    {
      waitReady: Promise.resolve(),
      execProtocolStream: async () => {
        const answer = answers.shift()!
        await new Promise<void>(resolve => waiting.push(resolve))
        return answer() as never
      },
    },
    why => ends.push(why),
  )
  const asked = [0, 1].map(() => failureOf(engine.execProtocolStream(Uint8Array.of('Q'.charCodeAt(0)))))
  for (const answer of waiting) answer()
  return { engine, ends, failures: await Promise.all(asked) }
}

it.each([
  ['a response', [{ name: 'readyForQuery' }]],
  ['no response', []],
])('an engine that has ended stays ended, even if an earlier query gets %s', async (_, later) => {
  const panic = { name: 'error', severity: 'PANIC', code: '53100', message: 'no space' }
  const { engine, ends, failures } = await askTwo(
    () => [panic],
    () => later,
  )
  const next = await failureOf(engine.execProtocolStream(Uint8Array.of('P'.charCodeAt(0))))
  for (const failure of [...failures, next]) expect(unavailabilityOf(failure)).toBe('full')
  expect(ends).toHaveLength(1)
})

it('an engine counts as ended after a WebAssembly trap, but not after another error', async () => {
  const raise = (error: Error) => (): never => {
    throw error
  }
  const { ends, failures } = await askTwo(
    raise(new TypeError('of ours')),
    raise(new WebAssembly.RuntimeError('unreachable')),
  )
  expect(failures.map(unavailabilityOf)).toEqual([undefined, 'failing'])
  expect(ends.map(String)).toEqual([expect.stringContaining('unreachable')])
})
