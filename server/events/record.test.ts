import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { isInFeed, type NewEvent, readEvent } from './catalogue'
import { recordEvents } from './record'

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
  facts: { ref: 'refs/heads/main', before, after: sha, commits: 1, forced: false, summary: '', newest: [] },
})

it('records who did it, from where, and the facts, in the order given', async () => {
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

it('a push that makes a branch is in no feed, as the branch is; every other push is', () => {
  expect([zeros, sha].map(before => isInFeed(pushed(before)))).toEqual([false, true])
})

it('an event of an earlier version is read without the facts that came later', () => {
  const event = readEvent({ kind: 'key.added', data: { title: 'laptop' } })
  expect(event).toEqual({ kind: 'key.added', facts: { title: 'laptop' } })
})

it.each(['org.teleported', 'toString'])('an event of the unknown kind %s is passed over', kind => {
  expect(readEvent({ kind, data: {} })).toBeUndefined()
})

it('refuses unknown kinds, missing facts and a missing repository before it runs', () => {
  expectTypeOf({ kind: 'key.lost', ownerId: 1, facts: {} } as const).not.toExtend<NewEvent>()
  const facts = { title: 'laptop', fingerprint: 'SHA256:x' }
  expectTypeOf({ kind: 'key.added', ownerId: 1, facts } as const).not.toExtend<NewEvent>()
  expectTypeOf({ kind: 'key.added', ownerId: 1, facts: { keyId: 1, ...facts } } as const).toExtend<NewEvent>()
  const { repositoryId, ...placeless } = pushed(sha)
  expectTypeOf(placeless).not.toExtend<NewEvent>()
})
