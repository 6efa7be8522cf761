import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { withTransaction } from '@/db/transaction'
import { isInFeed, type NewEvent, readEvent } from './catalogue'
import { hubOf, type Signal } from './hub'
import { recordEvents, recordedInsertion } from './record'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const zeros = '0'.repeat(40)
const sha = 'a'.repeat(40)
const pushed = (before: string): NewEvent<'git.pushed'> => ({
  kind: 'git.pushed',
  ownerId: null,
  repositoryId: 1,
  facts: {
    repositoryId: 1,
    ref: 'refs/heads/main',
    before,
    after: sha,
    commits: 1,
    forced: false,
    summary: '',
    newest: [],
    quiet: false,
  },
})

it('recordEvents stores events in order, each with its actor, IP address, request ID and facts', async () => {
  const origin = { actorId: null, remoteAddress: '192.0.2.7', requestId: 'the-request' }
  const events: NewEvent[] = [
    { kind: 'org.renamed', ownerId: null, facts: { orgId: 7, from: 'a', to: 'b' } },
    { kind: 'password.changed', ownerId: null, facts: { userId: 8 } },
  ]
  await open.db.transaction().execute(trx => recordEvents(trx, origin, events))
  const rows = await open.db.selectFrom('events').selectAll().orderBy('id').execute()
  const shared = { actor_id: null, in_feed: false, remote_address: '192.0.2.7', request_id: 'the-request' }
  expect(rows).toMatchObject([
    { ...shared, kind: 'org.renamed', data: { orgId: 7, from: 'a', to: 'b' } },
    { ...shared, kind: 'password.changed', data: { userId: 8 } },
  ])
  expect(rows.map(readEvent)).toMatchObject(events.map(({ kind, facts }) => ({ kind, facts })))
})

it('the signal of an event contains the ID of the person concerned, even a very high ID', async () => {
  const received: Signal[] = []
  const stop = hubOf(open.db).listen(signals => received.push(...signals))
  const memberId = 2 ** 40
  const origin = { actorId: null, remoteAddress: '', requestId: '' }
  await withTransaction(open.db, trx =>
    recordEvents(trx, origin, [
      { kind: 'org.member_added', ownerId: null, facts: { memberId, member: 'ada' } },
    ]),
  )
  stop()
  expect(received).toMatchObject([{ kind: 'org.member_added', personId: memberId }])
})

it('the signal of an event contains the ID of the repository concerned, even if the repository was deleted or transferred', async () => {
  const received: Signal[] = []
  const stop = hubOf(open.db).listen(signals => received.push(...signals))
  const [repositoryId, teamId] = [2 ** 40, 1]
  const events: NewEvent[] = [
    {
      kind: 'repository.deleted',
      ownerId: null,
      facts: { repositoryId, name: 'a', private: true, shown: {} },
    },
    {
      kind: 'repository.given_away',
      ownerId: null,
      facts: { repositoryId, name: 'a', recipientId: 1, recipient: 'ada' },
    },
    {
      kind: 'team.repository_removed',
      ownerId: null,
      facts: { teamId, team: 'core', repositoryId, repository: 'a' },
    },
  ]
  const origin = { actorId: null, remoteAddress: '', requestId: '' }
  await withTransaction(open.db, trx => recordEvents(trx, origin, events))
  stop()
  expect(received.map(signal => 'repositoryId' in signal && signal.repositoryId)).toEqual([
    repositoryId,
    repositoryId,
    repositoryId,
  ])
})

it('an event has the time at which it was recorded, not the start time of its transaction', async () => {
  await open.db.transaction().execute(async trx => {
    await recordEvents(trx, { actorId: null, remoteAddress: '', requestId: 'late' }, [
      { kind: 'password.changed', ownerId: null, facts: { userId: 8 } },
    ])
    const { isLater } = await trx
      .selectFrom('events')
      .select(sql<boolean>`created_at > now()`.as('isLater'))
      .where('request_id', '=', 'late')
      .executeTakeFirstOrThrow()
    expect(isLater).toBe(true)
  })
})

describe('recordedInsertion', () => {
  const origin = { actorId: null, remoteAddress: '192.0.2.7', requestId: 'with-a-row' }
  const insert = recordedInsertion(
    {
      kind: 'key.added',
      idFact: 'keyId',
      insert: (db, { ownerId, fingerprint, max }: { ownerId: number; fingerprint: string; max: number }) =>
        db
          .insertInto('public_keys')
          .columns(['owner_id', 'content', 'title', 'fingerprint'])
          .expression(
            db
              .selectNoFrom([
                sql.val(ownerId).as('owner_id'),
                sql<string>`'ssh-ed25519 ' || ${fingerprint}::text`.as('content'),
                sql.lit('laptop').as('title'),
                sql.val(fingerprint).as('fingerprint'),
              ])
              .where(sql<number>`${max}::int`, '>', 0),
          )
          .returning(['id', 'owner_id']),
    },
    [
      { name: 'listener', kinds: ['key.added'] },
      { name: 'other', kinds: ['key.removed'] },
    ],
  )
  const insertKey = async (fingerprint: string, max: number) => {
    const { id: ownerId } = await makeUser(open.db)
    const facts = { title: 'laptop', fingerprint, expiresAt: null }
    return await insert(open.db, origin, { ownerId, fingerprint, max }, { ownerId, facts })
  }
  const recorded = () =>
    open.db
      .selectFrom('events')
      .leftJoin('event_outbox', 'event_outbox.event_id', 'events.id')
      .select(['kind', 'owner_id', 'in_feed', 'remote_address', 'data', 'consumer'])
      .where('request_id', '=', origin.requestId)
      .execute()

  it('stores the ID of the inserted row in the event, and queues the event for the consumers of its kind', async () => {
    const key = await insertKey('SHA256:one', 1)
    const { owner_id, id: keyId } = key ?? {}
    expect(Object.keys(key ?? {})).toEqual(['id', 'owner_id'])
    expect(await recorded()).toEqual([
      {
        kind: 'key.added',
        owner_id,
        in_feed: false,
        remote_address: '192.0.2.7',
        data: { keyId, title: 'laptop', fingerprint: 'SHA256:one', expiresAt: null },
        consumer: 'listener',
      },
    ])
  })

  it('records no event if the row already exists or the insert fails', async () => {
    const before = await recorded()
    expect(await insertKey('SHA256:two', 0)).toBeUndefined()
    await expect(insertKey('SHA256:one', 1)).rejects.toThrow(/unique/)
    expect(await recorded()).toEqual(before)
  })

  it('signals the event with its ID, and signals nothing if there is no event', async () => {
    const received: Signal[] = []
    const stop = hubOf(open.db).listen(signals => received.push(...signals))
    const key = await insertKey('SHA256:three', 1)
    await insertKey('SHA256:four', 0)
    stop()
    const { id } = await open.db
      .selectFrom('events')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const signal = {
      id,
      kind: 'key.added',
      ownerId: key?.owner_id,
      repositoryId: null,
      queuedFor: ['listener'],
    }
    expect(received).toEqual([signal])
  })
})

it('recordEvents stores 9,000 events of one transaction in order', async () => {
  const events = Array.from({ length: 9_000 }, (_, userId): NewEvent<'password.changed'> => {
    return { kind: 'password.changed', ownerId: null, facts: { userId } }
  })
  const origin = { actorId: null, remoteAddress: '', requestId: 'of many' }
  await open.db.transaction().execute(trx => recordEvents(trx, origin, events))
  const rows = await open.db
    .selectFrom('events')
    .select('data')
    .where('request_id', '=', 'of many')
    .orderBy('id')
    .execute()
  expect(rows.map(({ data }) => data)).toEqual(events.map(({ facts }) => facts))
})

it('isInFeed excludes a push that creates a branch, and includes other pushes to branches', () => {
  expect([zeros, sha].map(before => isInFeed(pushed(before)))).toEqual([false, true])
})

it('readEvent reads an event of an earlier version without the facts that were added later', () => {
  const event = readEvent({ kind: 'key.added', data: { title: 'laptop' } })
  expect(event).toEqual({ kind: 'key.added', facts: { title: 'laptop' } })
})

it.each(['org.teleported', 'toString'])('readEvent returns undefined for the unknown kind %s', kind => {
  expect(readEvent({ kind, data: {} })).toBeUndefined()
})

it('the type NewEvent rejects unknown kinds, missing facts and a missing repository', () => {
  expectTypeOf({ kind: 'key.lost', ownerId: 1, facts: {} } as const).not.toExtend<NewEvent>()
  const facts = { title: 'laptop', fingerprint: 'SHA256:x', expiresAt: null }
  expectTypeOf({ kind: 'key.added', ownerId: 1, facts } as const).not.toExtend<NewEvent>()
  expectTypeOf({ kind: 'key.added', ownerId: 1, facts: { keyId: 1, ...facts } } as const).toExtend<NewEvent>()
  const { repositoryId, ...placeless } = pushed(sha)
  expectTypeOf(placeless).not.toExtend<NewEvent>()
})
