import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { randomFrom } from '@/testing/random'
import { openEmbeddedCopy } from '../testing/embedded-template'
import { withTransaction } from '../transaction'
import { failuresIn, isIdle, isReady } from './response'
import { takingTurns } from './turns'

const message = (type: string, body = ''): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}
const statement = (text: string): Buffer =>
  Buffer.concat([message('P', `name\0${text}\0\0\0`), message('B'), message('E'), message('S')])
const query = (text: string): Buffer => message('Q', `${text}\0`)
const ready = (status: 'I' | 'T'): Buffer => message('Z', status)

/** An engine that responds when the test says so. */
function openEngine() {
  const sent: { text: string; respond(status: 'I' | 'T'): Promise<void>; fail(): Promise<void> }[] = []
  const execute = (messages: Uint8Array): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      const fail = async (): Promise<void> => {
        reject(new Error('expected by a test'))
        await setImmediate()
      }
      const respond = async (status: 'I' | 'T'): Promise<void> => {
        resolve(ready(status))
        await setImmediate()
      }
      sent.push({
        text: Buffer.from(messages)
          .toString('latin1')
          .replace(/[^ -~]/g, ''),
        respond,
        fail,
      })
    })
  const nothing = async (): Promise<void> => undefined
  return { sent, turns: takingTurns({ execute, close: nothing, abandon: nothing }, 50) }
}

const [ada, bea] = [{ name: 'ada' }, { name: 'bea' }]

it('a statement is sent to the engine while another client waits for its response', async () => {
  const { sent, turns } = openEngine()
  const answers = [
    turns.execute(ada, statement('select 1')),
    turns.execute(bea, statement(`\n${' '.repeat(60)}/* prepared */ with`)),
  ]
  expect(sent).toHaveLength(2)
  for (const { respond } of sent) await respond('I')
  expect(await Promise.all(answers)).toEqual([ready('I'), ready('I')])
})

it.each([
  ['a simple query', query('begin')],
  ['a statement that is none of the usual ones', statement('begin')],
  ['a statement without an end', message('P', 'name\0select 1\0\0\0')],
])(
  '%s waits for running ones, and all others wait for it and the transaction that it begins',
  async (_, begin) => {
    const { sent, turns } = openEngine()
    const count = () => sent.length
    void turns.execute(ada, statement('select 1'))
    void turns.execute(bea, begin)
    expect(count()).toBe(1)
    await sent[0]?.respond('I')
    void turns.execute(ada, statement('select 2'))
    expect(count()).toBe(2)
    await sent[1]?.respond('T')
    void turns.execute(bea, statement('select 3'))
    expect(count()).toBe(3)
    await sent[2]?.respond('T')
    void turns.execute(bea, query('commit'))
    await sent[3]?.respond('I')
    expect(sent.at(-1)?.text).toContain('select 2')
  },
)

it('a client that leaves a transaction open, or that is about to begin one, is rolled back before others go on', async () => {
  for (const status of ['T', undefined] as const) {
    const { sent, turns } = openEngine()
    void turns.execute(ada, query('begin'))
    if (status) await sent[0]?.respond(status)
    turns.leave(ada)
    void turns.execute(bea, statement('select 1'))
    if (!status) await sent[0]?.respond('T')
    expect(sent.at(-1)?.text).toContain('rollback')
    await sent[1]?.respond('I')
    expect(sent.at(-1)?.text).toContain('select 1')
  }
})

it('a call that fails inside a transaction leaves it to its client, and a rollback that fails is repeated', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { sent, turns } = openEngine()
    void turns.execute(ada, query('begin'))
    await sent[0]?.respond('T')
    const failed = turns.execute(ada, statement('select 1')).catch((error: Error) => error.message)
    await sent[1]?.fail()
    expect([await failed, sent.length]).toEqual(['expected by a test', 2])
    turns.leave(ada)
    await sent[2]?.fail()
    expect(sent).toHaveLength(3)
    vi.advanceTimersByTime(1_000)
    expect(sent.slice(2).map(({ text }) => text.includes('rollback'))).toEqual([true, true])
    void turns.execute(bea, statement('select 2'))
    expect(sent).toHaveLength(4)
    await sent[3]?.respond('I')
    expect(sent.at(-1)?.text).toContain('select 2')
  } finally {
    vi.useRealTimers()
  }
})

it('a client that waits for its turn for too long gets an error as its response, and the next one its turn', async () => {
  const { sent, turns } = openEngine()
  void turns.execute(ada, query('begin'))
  await sent[0]?.respond('T')
  const late = Buffer.from(await turns.execute(bea, statement('select 1')))
  expect(failuresIn(late)).toMatchObject([{ severity: 'ERROR', code: '53300' }])
  expect(isReady(late) && isIdle(late)).toBe(true)
  void turns.execute(ada, query('commit'))
  await sent[1]?.respond('I')
  void turns.execute(bea, statement('select 2'))
  expect(sent.at(-1)?.text).toContain('select 2')
})

it('transactions and single statements of many callers keep apart: what is rolled back is gone, and nothing else', async () => {
  const { db, close } = await openEmbeddedCopy()
  await sql`create table written (n int primary key, note text)`.execute(db)
  const random = randomFrom(7)
  const kept: number[] = []
  const work = Array.from({ length: 150 }, async (_, n) => {
    const insert = (at: typeof db, note: string) =>
      sql`insert into written values (${n}, ${note})`.execute(at)
    const kind = Math.floor(random() * 3)
    if (kind === 0) {
      await insert(db, 'alone')
      return kept.push(n)
    }
    const transaction = withTransaction(db, async trx => {
      await insert(trx, 'in a transaction')
      await sql`update written set note = 'again' where n = ${n}`.execute(trx)
      if (kind === 1) throw new Error('rolled back')
    })
    await transaction.then(
      () => kept.push(n),
      () => undefined,
    )
  })
  await Promise.all(work)
  const { rows } = await sql<{ n: number }>`select n from written order by n`.execute(db)
  expect(rows.map(({ n }) => n)).toEqual(kept.sort((one, other) => one - other))
  expect(kept.length).toBeGreaterThan(60)
  await close()
})
