import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openServer } from '@/db/server/open'
import { startPostgres } from '@/db/testing/postgres-server'
import { openServerCopy } from '@/db/testing/server-template'
import { withTransaction } from '@/db/transaction'
import { systemClock } from '@/server/kernel/clock'
import { createLog } from '@/server/kernel/log'
import type { NewEvent } from './catalogue'
import { announce, hubOf, type Signal } from './hub'
import { type LinkOptions, linkProcesses, type ProcessLink } from './process-link'
import { recordEvents } from './record'
import { readSignals, senderLength, writeSignals } from './signal-text'

const server = await startPostgres()
afterAll(() => server?.stop())

const origin = { actorId: null, remoteAddress: '', requestId: 'told' }
const deleted = (userId: number): NewEvent => ({
  kind: 'user.deleted',
  ownerId: null,
  facts: { userId, name: 'x' },
})
/** Waits long enough for a reconnect and for processes to start. */
const eventually = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 10_000 })
const notice = { kind: 'hook.delivery_changed', hookId: 1 } as const

/** Simulates another process on the database, with its own pool, hub and link. */
interface Process extends OpenDatabase {
  link: ProcessLink
  received: Signal[]
}

describe.skipIf(!server)('two linked processes on one PostgreSQL', () => {
  let first: OpenDatabase
  let url: string
  beforeAll(async () => {
    first = await openServerCopy(server!.url)
    url = (first.pool as unknown as { options: { connectionString: string } }).options.connectionString
  })
  afterAll(() => first.close())

  /**
   * Returns the URL of a port in front of the same database that accepts no connections until `open` is
   * called.
   */
  async function makeGate(): Promise<{ url: string; open(): Promise<void> }> {
    const { hostname, port } = new URL(url)
    const gate = createServer(socket => {
      socket.on('error', () => undefined)
      socket
        .pipe(connect(Number(port), hostname))
        .on('error', () => undefined)
        .pipe(socket)
    })
    const listen = (at: number) => new Promise<void>(resolve => gate.listen(at, '127.0.0.1', () => resolve()))
    await listen(0)
    const { port: free } = gate.address() as AddressInfo
    await new Promise(resolve => gate.close(resolve))
    onTestFinished(() => void gate.close())
    return { url: Object.assign(new URL(url), { port: free }).href, open: () => listen(free) }
  }

  async function startProcess(options: LinkOptions = {}, databaseUrl = url): Promise<Process> {
    const open = await openServer(url, { poolSize: 2 })
    const received: Signal[] = []
    hubOf(open.db).listen((signals, source) => source === 'elsewhere' && received.push(...signals))
    const link = await linkProcesses(
      { db: open.db, log: createLog('silent'), clock: systemClock, databaseUrl },
      { lookMs: 3_600_000, ...options },
    )
    onTestFinished(async () => {
      await link.close()
      await open.close()
    })
    return { ...open, link, received }
  }

  const record = (process: OpenDatabase, ...events: NewEvent[]) =>
    withTransaction(process.db, trx => recordEvents(trx, origin, events))
  const idsOf = (signals: Signal[]) => signals.flatMap(signal => ('id' in signal ? signal.id : []))
  async function recorded(): Promise<number[]> {
    const rows = await first.db.selectFrom('events').select('id').orderBy('id').execute()
    return rows.map(({ id }) => id)
  }
  const lastRecorded = async (count: number) => (await recorded()).slice(-count)
  async function listeners(): Promise<number> {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where application_name = 'guildhall-signals' and datname = current_database() and query <> ''`.execute(
      first.db,
    )
    return rows.length
  }
  async function startTwo(options?: LinkOptions): Promise<[Process, Process]> {
    const both: [Process, Process] = [await startProcess(options), await startProcess(options)]
    await eventually(async () => expect(await listeners()).toBe(2))
    return both
  }
  const cutLinks = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'guildhall-signals' and datname = current_database()`.execute(first.db)

  it('send each other their events and notices, and receive none of their own twice', async () => {
    const [one, two] = await startTwo()
    await record(one, deleted(1), deleted(2))
    announce(one.db, notice)
    const [a, b] = await lastRecorded(2)
    const shared = { kind: 'user.deleted', ownerId: null, repositoryId: null }
    await eventually(() => expect(two.received).toEqual([{ id: a, ...shared }, { id: b, ...shared }, notice]))
    await record(two, deleted(3))
    await eventually(async () => expect(idsOf(one.received)).toEqual(await lastRecorded(1)))
    expect(two.received).toHaveLength(3)
  })

  it('know whether they were alone when they started, even if they start at the same time', async () => {
    const alone = async () => await eventually(async () => expect(await listeners()).toBe(0))
    await alone()
    const before = new Date()
    const one = await startProcess()
    expect((await one.link.aloneAt)?.getTime()).toBeGreaterThanOrEqual(before.getTime())
    const two = await startProcess()
    expect(await two.link.aloneAt).toBeUndefined()
    await two.link.close()
    await one.link.close()
    await alone()
    const [next, other] = await Promise.all([startProcess(), startProcess()])
    const found = await Promise.all([next.link.aloneAt, other.link.aloneAt])
    expect(found.filter(at => at !== undefined)).toHaveLength(1)
  })

  it('receive each event recorded while disconnected once, and learn that notices may be missing', async () => {
    const [one, two] = await startTwo()
    await record(one, deleted(4))
    await eventually(() => expect(two.received).toHaveLength(1))
    await cutLinks()
    await record(one, deleted(5))
    await eventually(async () => expect(idsOf(two.received)).toEqual(await lastRecorded(2)))
    expect(two.received).toContainEqual({ kind: 'missed' })
    await record(one, deleted(6))
    await eventually(async () => expect(idsOf(two.received)).toEqual(await lastRecorded(3)))
  })

  it('receive a notice whose first sending failed', async () => {
    const [one, two] = await startTwo()
    const rename = (from: string, to: string) =>
      sql`alter function pg_catalog.${sql.ref(from)} (text, text) rename to ${sql.ref(to)}`.execute(first.db)
    await rename('pg_notify', 'pg_notify_away')
    try {
      announce(one.db, notice)
      await delay(200)
      expect(two.received).toEqual([])
    } finally {
      await rename('pg_notify_away', 'pg_notify')
    }
    await eventually(() => expect(two.received).toEqual([notice]))
  })

  it('learn that signals may be missing if an event is recorded before they listen', async () => {
    const gate = await makeGate()
    const one = await startProcess({}, gate.url)
    expect(one.received).toEqual([])
    await gate.open()
    await eventually(() => expect(one.received).toEqual([{ kind: 'missed' }]))
  })

  it('find events without a signal when they read the table, including one whose ID is lower than the highest known ID', async () => {
    const [, two] = await startTwo({ lookMs: 50 })
    const silent = await openServer(url, { poolSize: 2 })
    onTestFinished(() => silent.close())
    const late = await silent.db.startTransaction().execute()
    await recordEvents(late, origin, [deleted(7)])
    await record(silent, deleted(8))
    await eventually(() => expect(two.received).toHaveLength(1))
    await late.commit().execute()
    await eventually(() => expect(two.received).toHaveLength(2))
    expect(idsOf(two.received).sort()).toEqual(await lastRecorded(2))
  })

  it('exchange a large number of events through the table', async () => {
    const [one, two] = await startTwo()
    const many = Array.from({ length: 4_500 }, (_, index) => deleted(index + 100))
    await record(one, ...many)
    await eventually(async () => expect(idsOf(two.received)).toEqual(await lastRecorded(4_500)))
    await record(one, ...many, ...many)
    await eventually(() => expect(two.received).toContainEqual({ kind: 'missed' }))
  })

  it('send nothing after they are closed, and leave no connection open', async () => {
    const [one, two] = await startTwo()
    await record(two, deleted(9))
    await two.link.close()
    await eventually(async () => expect(idsOf(one.received)).toEqual(await lastRecorded(1)))
    await record(two, deleted(10))
    await one.link.close()
    await eventually(async () => expect(await listeners()).toBe(0))
    expect(one.received).toHaveLength(1)
  })
})

describe('signals written as text', () => {
  const from = 'f'.repeat(senderLength)
  const event = (id: number): Signal => ({
    id,
    kind: 'key.added',
    ownerId: 1_000_000 + id,
    repositoryId: null,
  })

  it('are unchanged when read back, and each text is shorter than 8,000 bytes', () => {
    const signals = [...Array.from({ length: 1_000 }, (_, id) => event(id)), notice]
    const texts = writeSignals(from, signals)
    expect(texts.length).toBeGreaterThan(1)
    expect(Math.max(...texts.map(text => Buffer.byteLength(text)))).toBeLessThan(8_000)
    const read = texts.flatMap(text => readSignals(text)?.signals as Signal[])
    expect(read).toEqual(signals)
  })

  it('are replaced by the single signal "many" if there are too many', () => {
    const texts = writeSignals(
      from,
      Array.from({ length: 9_000 }, (_, id) => event(id)),
    )
    expect(texts.map(readSignals)).toEqual([{ from, signals: 'many' }])
  })

  it.each([
    [
      'that only a later version knows',
      `${from}[[1,"org.teleported",null,null],{"kind":"hook.sang","hookId":1}]`,
      [],
    ],
    ['with malformed parts', `${from}[[1,"key.added"],7,null,["x","key.added",null,null]]`, []],
    ['in a text without signals', `${from}{}`, undefined],
    ['in a truncated text', `${from}[[1,"key`, undefined],
    ['in a text shorter than a process name', 'f', undefined],
  ])('are skipped if they are %s', (_, text, signals) => {
    expect(readSignals(text)?.signals).toEqual(signals)
  })
})
