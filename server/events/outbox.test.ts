import { type SqlBool, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { startPostgres } from '@/db/testing/postgres-server'
import { openServerCopy } from '@/db/testing/server-template'
import { openTestDatabase } from '@/db/testing/test-database'
import { withTransaction } from '@/db/transaction'
import type { NewEvent } from './catalogue'
import { hubOf, type Signal } from './hub'
import {
  type ClaimedEvent,
  type EventConsumer,
  leaseEvents,
  postponeLeased,
  returnLeased,
  takeLeased,
} from './outbox'
import { type Origin, recordEvents } from './record'

const origin: Origin = { actorId: null, remoteAddress: '192.0.2.1', requestId: 'the-request' }
const consumer: EventConsumer = { name: 'listener', kinds: ['org.created'] }
const founded = (name: string): NewEvent => ({
  kind: 'org.created',
  ownerId: null,
  facts: { orgId: 1, name, ownerId: 2, owner: 'ada' },
})
const renamed: NewEvent = { kind: 'org.renamed', ownerId: null, facts: { orgId: 1, from: 'a', to: 'b' } }
const namesOf = (events: ClaimedEvent[]) =>
  events.map(event => (event.kind === 'org.created' ? event.facts.name : event.kind))

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const record = ({ db }: OpenDatabase, ...events: NewEvent[]) =>
  db.transaction().execute(trx => recordEvents(trx, origin, events, [consumer]))
const lease = ({ db }: OpenDatabase, limit = 10, { by = consumer, now = at(0), until = at(30) } = {}) =>
  leaseEvents(db, by, { limit, now, until })
const take = ({ db }: OpenDatabase, events: ClaimedEvent[]) =>
  db.transaction().execute(trx =>
    takeLeased(
      trx,
      consumer,
      events.map(({ id }) => id),
    ),
  )

describe('an event consumer’s outbox', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openTestDatabase()
  })
  afterAll(() => open.close())
  afterEach(() => open.db.deleteFrom('event_outbox').execute())

  it('leases each event of the kinds that the consumer subscribes to once, in order, and no other events', async () => {
    await record(open, founded('first'), renamed, founded('second'), founded('third'))
    const events = await lease(open, 2)
    expect(namesOf(events)).toEqual(['first', 'second'])
    expect(namesOf(await lease(open))).toEqual(['third'])
    expect(await take(open, events)).toEqual(new Set(events.map(({ id }) => id)))
    expect(namesOf(await lease(open, 10, { now: at(31), until: at(61) }))).toEqual(['third'])
  })

  it('leases an event again after its lease expires, and counts the leases', async () => {
    await record(open, founded('retried'))
    const [first] = await lease(open)
    expect(await lease(open, 10, { now: at(29) })).toEqual([])
    const [again] = await lease(open, 10, { now: at(30), until: at(60) })
    expect([first?.leases, again?.leases]).toEqual([1, 2])
    expect(again?.id).toBe(first?.id)
  })

  it('leases a postponed event again at the postponed time', async () => {
    await record(open, founded('poisoned'))
    const [event] = await lease(open)
    await postponeLeased(open.db, consumer, [event!.id], at(10))
    expect(await lease(open, 10, { now: at(9) })).toEqual([])
    expect(namesOf(await lease(open, 10, { now: at(10) }))).toEqual(['poisoned'])
  })

  it('does not count a lease if the event was returned without an attempt to handle it', async () => {
    await record(open, founded('returned'))
    const [event] = await lease(open)
    await returnLeased(open.db, consumer, [event!.id], at(10))
    expect(await lease(open, 10, { now: at(9) })).toEqual([])
    expect(await lease(open, 10, { now: at(10) })).toMatchObject([{ id: event!.id, leases: 1 }])
  })

  it('gives an event to only one of two handlers that take it at the same time', async () => {
    await record(open, founded('twice'))
    const first = await lease(open)
    const second = await lease(open, 10, { now: at(31) })
    expect((await take(open, second)).size).toBe(1)
    expect((await take(open, first)).size).toBe(0)
  })

  it('omits events that do not meet the consumer’s condition, and signals only the other events as queued', async () => {
    const picky = { ...consumer, concern: sql<SqlBool>`events.data ->> 'name' = 'wanted'` }
    const received: Signal[] = []
    const stop = hubOf(open.db).listen(signals => received.push(...signals))
    await withTransaction(open.db, trx =>
      recordEvents(trx, origin, [founded('ignored'), founded('wanted')], [picky]),
    )
    stop()
    const [event, ...others] = await lease(open)
    expect([namesOf([event!]), others]).toEqual([['wanted'], []])
    expect(received.map(signal => 'id' in signal && signal.queuedFor && signal.id)).toEqual([
      undefined,
      event?.id,
    ])
  })

  it('keeps an event when the transaction that takes it is rolled back', async () => {
    await record(open, founded('kept'))
    const events = await lease(open)
    const failing = open.db.transaction().execute(async trx => {
      await takeLeased(
        trx,
        consumer,
        events.map(({ id }) => id),
      )
      throw new Error('no delivery')
    })
    await expect(failing).rejects.toThrow('no delivery')
    expect((await take(open, events)).size).toBe(1)
  })

  it('contains no event of a change that was rolled back', async () => {
    const failing = open.db.transaction().execute(async trx => {
      await recordEvents(trx, origin, [founded('never')], [consumer])
      throw new Error('no organization')
    })
    await expect(failing).rejects.toThrow('no organization')
    expect(await lease(open)).toEqual([])
  })

  it('keeps events of kinds that only a later version knows or subscribes to, until that version leases them', async () => {
    await record(open, founded('unknown'), founded('unwanted'), founded('known'))
    await sql`update events set kind = 'org.teleported' where data ->> 'name' = 'unknown'`.execute(open.db)
    await sql`update events set kind = 'org.deleted' where data ->> 'name' = 'unwanted'`.execute(open.db)
    expect(namesOf(await lease(open, 1))).toEqual(['known'])
    expect(await lease(open)).toEqual([])
    await sql`update events set kind = 'org.created' where data ->> 'name' = 'unknown'`.execute(open.db)
    const later: EventConsumer = { ...consumer, kinds: ['org.created', 'org.deleted'] }
    const leased = await lease(open, 10, { by: later })
    expect(leased.map(({ kind }) => kind)).toEqual(['org.created', 'org.deleted'])
  })
})

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server)('event outboxes on a PostgreSQL server', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openServerCopy(server!.url)
  })
  afterAll(() => open.close())

  it('lease different events to two transactions at the same time', async () => {
    await record(open, founded('a'), founded('b'), founded('c'), founded('d'))
    const [first, second] = [
      await open.db.startTransaction().execute(),
      await open.db.startTransaction().execute(),
    ]
    const times = { limit: 2, now: at(0), until: at(30) }
    const leased = [await leaseEvents(first, consumer, times), await leaseEvents(second, consumer, times)]
    expect(leased.map(namesOf)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    await first.commit().execute()
    await second.commit().execute()
    expect(await lease(open)).toEqual([])
  })

  it('lease an event that commits late, even if an event with a higher ID was leased before', async () => {
    const late = await open.db.startTransaction().execute()
    await recordEvents(late, origin, [founded('late')], [consumer])
    await record(open, founded('early'))
    const [early] = await lease(open)
    await late.commit().execute()
    const [found] = await lease(open)
    expect(namesOf([early!, found!])).toEqual(['early', 'late'])
    expect(found!.id).toBeLessThan(early!.id)
  })
})
