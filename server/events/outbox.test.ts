import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { startPostgres } from '@/db/testing/postgres-server'
import { openServerCopy } from '@/db/testing/server-template'
import { openTestDatabase } from '@/db/testing/test-database'
import type { NewEvent } from './catalogue'
import { type ClaimedEvent, claimEvents, type EventConsumer } from './outbox'
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

const record = ({ db }: OpenDatabase, ...events: NewEvent[]) =>
  db.transaction().execute(trx => recordEvents(trx, origin, events, [consumer]))
const claim = ({ db }: OpenDatabase, limit = 10) =>
  db.transaction().execute(trx => claimEvents(trx, consumer, limit))

describe('the outbox of a consumer', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openTestDatabase()
  })
  afterAll(() => open.close())

  it('gives each event of the kinds it wants once, in their order, and no other', async () => {
    await record(open, founded('first'), renamed, founded('second'), founded('third'))
    expect(namesOf(await claim(open, 2))).toEqual(['first', 'second'])
    expect(namesOf(await claim(open))).toEqual(['third'])
    expect(await claim(open)).toEqual([])
  })

  it('gives an event again when the work with it was rolled back', async () => {
    await record(open, founded('retried'))
    const failing = open.db.transaction().execute(async trx => {
      await claimEvents(trx, consumer, 1)
      throw new Error('no delivery')
    })
    await expect(failing).rejects.toThrow('no delivery')
    expect(namesOf(await claim(open))).toEqual(['retried'])
  })

  it('is empty after a change that was rolled back', async () => {
    const failing = open.db.transaction().execute(async trx => {
      await recordEvents(trx, origin, [founded('never')], [consumer])
      throw new Error('no organization')
    })
    await expect(failing).rejects.toThrow('no organization')
    expect(await claim(open)).toEqual([])
  })

  it('keeps events of kinds that only a later version knows or wants until that version asks', async () => {
    await record(open, founded('unknown'), founded('unwanted'), founded('known'))
    await sql`update events set kind = 'org.teleported' where data ->> 'name' = 'unknown'`.execute(open.db)
    await sql`update events set kind = 'org.deleted' where data ->> 'name' = 'unwanted'`.execute(open.db)
    expect(namesOf(await claim(open, 1))).toEqual(['known'])
    expect(await claim(open)).toEqual([])
    await sql`update events set kind = 'org.created' where data ->> 'name' = 'unknown'`.execute(open.db)
    const later: EventConsumer = { ...consumer, kinds: ['org.created', 'org.deleted'] }
    const claimed = await open.db.transaction().execute(trx => claimEvents(trx, later, 10))
    expect(claimed.map(({ kind }) => kind)).toEqual(['org.created', 'org.deleted'])
  })
})

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server)('on a server', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openServerCopy(server!.url)
  })
  afterAll(() => open.close())

  it('two who claim at one instant get different events', async () => {
    await record(open, founded('a'), founded('b'), founded('c'))
    const [first, second] = [
      await open.db.startTransaction().execute(),
      await open.db.startTransaction().execute(),
    ]
    const claimed = [await claimEvents(first, consumer, 2), await claimEvents(second, consumer, 2)]
    expect(claimed.map(namesOf)).toEqual([['a', 'b'], ['c']])
    await first.commit().execute()
    await second.commit().execute()
    expect(await claim(open)).toEqual([])
  })

  it('an event whose transaction commits late is not lost, though its id is lower than one claimed before', async () => {
    const late = await open.db.startTransaction().execute()
    await recordEvents(late, origin, [founded('late')], [consumer])
    await record(open, founded('early'))
    const [early] = await claim(open)
    await late.commit().execute()
    const [found] = await claim(open)
    expect(namesOf([early!, found!])).toEqual(['early', 'late'])
    expect(found!.id).toBeLessThan(early!.id)
  })
})
