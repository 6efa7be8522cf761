import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { makeOrg, makeRepository, makeUser } from '@/db/testing/factories'
import { startPostgres } from '@/db/testing/postgres-server'
import { openServerCopy } from '@/db/testing/server-template'
import { openTestDatabase } from '@/db/testing/test-database'
import {
  type ClaimedEvent,
  hubOf,
  type NewEvent,
  recordEvents,
  type Signal,
  webhookConsumer,
} from '@/server/events'
import { hookKinds } from '../payload'
import type { HookPayload } from '../payload/types'
import { dispatchEvents } from './dispatcher'
import type { Makers } from './prepare'
import { makeHook } from './testing/queue'
import { makeProcess, type TestProcess } from './testing/worker'

let open: OpenDatabase
let here: TestProcess
let org: { id: number }
let repository: { id: number }
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())
beforeEach(async () => {
  here = makeProcess(open)
  org = await makeOrg(open.db, (await makeUser(open.db)).id)
  repository = await makeRepository(open.db, org.id)
})
afterEach(() => sql`truncate hooks, hook_deliveries, hook_payloads, events cascade`.execute(open.db))

const branch = { short: 'main', full: 'refs/heads/main' }
const pushOf = (event: ClaimedEvent): HookPayload => ({
  event: 'push',
  eventType: 'push',
  body: { event: event.id } as never,
  indent: 2,
  ref: branch,
})
const makers = (
  payloadOf = async (_: unknown, event: ClaimedEvent) => pushOf(event) as HookPayload | undefined,
): Makers => ({
  hookTypeOf: () => 'push',
  payloadOf,
  formatBody: (type, { body }) =>
    type === 'slack' ? { skipped: 'no_commits' } : { body: JSON.stringify(body) },
})
const pushed = (ownerId: number | null = org.id, repositoryId = repository.id): NewEvent<'git.pushed'> => ({
  kind: 'git.pushed',
  ownerId,
  repositoryId,
  facts: {
    repositoryId,
    ref: branch.full,
    before: 'a',
    after: 'b',
    commits: 0,
    forced: false,
    quiet: false,
    summary: '',
    newest: [],
  },
})
const record = async (...events: NewEvent[]): Promise<number[]> => {
  const origin = { actorId: null, remoteAddress: '', requestId: 'test' }
  await open.db.transaction().execute(trx => recordEvents(trx, origin, events))
  const rows = await open.db
    .selectFrom('events')
    .select('id')
    .orderBy('id', 'desc')
    .limit(events.length)
    .execute()
  return rows.map(({ id }) => id).reverse()
}
const dispatch = (made = makers(), signal?: AbortSignal) => dispatchEvents(here.ctx, made, signal)
const readDeliveries = () => open.db.selectFrom('hook_deliveries').selectAll().orderBy('id').execute()
const readTraces = async () =>
  await open.db.selectFrom('hook_traces').selectAll().orderBy('event_id').execute()
const waiting = async () =>
  (await outboxOf(open).select('event_id').orderBy('event_id').execute()).map(row => row.event_id)

const outboxOf = ({ db }: Pick<typeof open, 'db'>) =>
  db.selectFrom('event_outbox').where('consumer', '=', webhookConsumer.name)

it('the webhook consumer subscribes to exactly the kinds of events that webhooks can receive', () => {
  expect([...webhookConsumer.kinds].sort()).toEqual([...hookKinds].sort())
})

describe('dispatching an event', () => {
  it('creates deliveries only for webhooks of its repository, its owner, and the site', async () => {
    const elsewhere = await makeRepository(open.db, org.id)
    const stranger = await makeUser(open.db)
    const hooks = [
      await makeHook(open.db, { scope: 'repository', repository_id: repository.id }),
      await makeHook(open.db, { scope: 'owner', owner_id: org.id }),
      await makeHook(open.db),
    ]
    await makeHook(open.db, { scope: 'repository', repository_id: elsewhere.id })
    await makeHook(open.db, { scope: 'owner', owner_id: stranger.id })
    await makeHook(open.db, { scope: 'default' })
    const [event] = await record(pushed())
    expect(await dispatch()).toBe(1)
    const rows = await readDeliveries()
    expect(rows.map(({ hook_id }) => hook_id)).toEqual(hooks.map(({ id }) => id))
    expect(new Set(rows.map(({ payload_id }) => payload_id)).size).toBe(1)
    expect(rows[0]).toMatchObject({
      kind: 'event',
      event_id: event,
      event: 'push',
      event_type: 'push',
      sequence: 1,
      status: 'pending',
      attempts: 0,
      cause: 'first',
      target: '127.0.0.1:9',
      next_attempt_at: here.now,
    })
    const [payload] = await open.db.selectFrom('hook_payloads').select('body').execute()
    expect(JSON.parse(gunzipSync(payload!.body).toString())).toEqual({ event })
    expect(await waiting()).toEqual([])
  })

  it('is skipped entirely if no webhook has the event in its scope', async () => {
    const elsewhere = await makeRepository(open.db, org.id)
    await makeHook(open.db, { scope: 'repository', repository_id: elsewhere.id })
    await makeHook(open.db, { scope: 'default' })
    await record(pushed())
    expect(await waiting()).toEqual([])
    await makeHook(open.db, { scope: 'repository', repository_id: repository.id, is_active: false })
    expect(await record(pushed())).toEqual(await waiting())
  })

  it('stores a chat message for chats and the JSON payload for programs', async () => {
    const owned = { scope: 'owner' as const, owner_id: org.id, events: ['organization'] }
    await makeHook(open.db, owned)
    await makeHook(open.db, { ...owned, type: 'slack' })
    await record({
      kind: 'org.edited',
      ownerId: org.id,
      facts: { orgId: org.id, name: 'acme', changed: 'description' },
    })
    await dispatchEvents(here.ctx)
    const bodies = await open.db.selectFrom('hook_payloads').select('body').orderBy('id').execute()
    const [json, message] = bodies.map(({ body }) => JSON.parse(gunzipSync(body).toString()))
    expect(json).toMatchObject({ action: 'edited', organization: { id: org.id } })
    expect(message).toMatchObject({ text: expect.stringContaining('changed the organization') })
  })

  it('records each considered webhook in a trace, with the reason if it was skipped', async () => {
    const owned = { scope: 'owner', owner_id: org.id } as const
    const queued = await makeHook(open.db, owned)
    const skipped = {
      inactive: await makeHook(open.db, { ...owned, is_active: false }),
      disabled: await makeHook(open.db, { ...owned, disabled_reason: 'gone' }),
      event_not_chosen: await makeHook(open.db, { ...owned, events: ['release'] }),
      branch_filter: await makeHook(open.db, { ...owned, branch_filter: 'release/*' }),
      no_commits: await makeHook(open.db, { ...owned, type: 'slack' }),
    }
    const [event] = await record(pushed())
    await dispatch()
    const [delivery, ...others] = await readDeliveries()
    expect([delivery?.hook_id, others]).toEqual([queued.id, []])
    const [trace] = await readTraces()
    expect(trace).toMatchObject({ event_id: event })
    expect(trace?.considered).toEqual([
      { hookId: queued.id, outcome: 'queued', deliveryId: delivery?.id },
      ...Object.entries(skipped).map(([reason, { id: hookId }]) => ({ hookId, outcome: 'skipped', reason })),
    ])
  })

  it('records the skip reason "no_payload" and notifies pages if the event has no payload', async () => {
    const hook = await makeHook(open.db)
    await record(pushed())
    const received: Signal[] = []
    const stop = hubOf(open.db).listen(signals => received.push(...signals))
    await dispatch(makers(async () => undefined))
    stop()
    const ids = { ownerId: org.id, repositoryId: repository.id }
    expect(received).toEqual([{ kind: 'event.considered', ...ids }])
    expect(await readDeliveries()).toEqual([])
    expect((await readTraces())[0]?.considered).toEqual([
      { hookId: hook.id, outcome: 'skipped', reason: 'no_payload' },
    ])
  })

  it('builds no payload if no webhook would receive the event', async () => {
    await makeHook(open.db, { is_active: false })
    await makeHook(open.db, { events: ['release'] })
    const payloadOf = vi.fn(async () => undefined)
    await record(pushed())
    await dispatch(makers(payloadOf))
    expect(payloadOf).not.toHaveBeenCalled()
  })

  it('still creates deliveries for site webhooks if the owner and the repository have been deleted', async () => {
    await makeHook(open.db)
    const [event] = await record(pushed())
    await sql`delete from repositories where id = ${repository.id}`.execute(open.db)
    await sql`delete from users where id = ${org.id}`.execute(open.db)
    await dispatch()
    expect(await readDeliveries()).toHaveLength(1)
    expect(await readTraces()).toMatchObject([{ event_id: event }])
  })
})

describe('dispatching several events', () => {
  it('builds the payloads of a batch concurrently if they do not need Git', async () => {
    await makeHook(open.db)
    const facts = { orgId: org.id, name: 'acme', changed: 'description' }
    const count = 20
    await record(
      ...Array.from({ length: count }, () => ({ kind: 'org.edited', ownerId: org.id, facts }) as const),
    )
    let begun = 0
    let goOn = () => {}
    const allBegun = new Promise<void>(resolve => {
      goOn = resolve
    })
    const payloadOf = async (_: unknown, event: ClaimedEvent) => {
      begun += 1
      if (begun === count) goOn()
      await allBegun
      return pushOf(event)
    }
    expect(await dispatch(makers(payloadOf))).toBe(count)
    expect(await readDeliveries()).toHaveLength(count)
  })

  it('numbers the deliveries of a webhook in the order of the events, across batches', async () => {
    const hook = await makeHook(open.db)
    const other = await makeHook(open.db, { events: ['release'] })
    const events = await record(pushed(), pushed(), pushed())
    await dispatch()
    events.push(...(await record(pushed())))
    await dispatch()
    const rows = await readDeliveries()
    expect(rows.map(row => [row.event_id, row.sequence])).toEqual(events.map((event, at) => [event, at + 1]))
    const sequences = await open.db
      .selectFrom('hooks')
      .select(['id', 'last_sequence'])
      .orderBy('id')
      .execute()
    expect(sequences).toEqual([
      { id: hook.id, last_sequence: 4 },
      { id: other.id, last_sequence: 0 },
    ])
  })

  it('continues if one payload cannot be built, and retries that event with increasing delays', async () => {
    await makeHook(open.db)
    const [good, bad, another] = await record(pushed(), pushed(), pushed())
    const poisoned = makers(async (_, event) => {
      if (event.id === bad) throw new Error('a commit that nobody can read')
      return pushOf(event)
    })
    await dispatch(poisoned)
    expect((await readDeliveries()).map(row => row.event_id)).toEqual([good, another])
    expect(await waiting()).toEqual([bad])
    expect(here.lines).toContainEqual(expect.objectContaining({ level: 'error', event: bad, tries: 1 }))
    const waits = []
    for (let tries = 0; tries < 3; tries++) {
      const { leased_until: until } = await outboxOf(open).select('leased_until').executeTakeFirstOrThrow()
      waits.push(until!.getTime() - here.now.getTime())
      here.now = new Date(until!.getTime() - 1)
      expect(await dispatch(poisoned)).toBe(0)
      here.now = until!
      expect(await dispatch(poisoned)).toBe(1)
    }
    expect(waits).toEqual([5_000, 10_000, 20_000])
    here.now = new Date(here.now.getTime() + 3_600_000)
    await dispatch()
    expect(await waiting()).toEqual([])
  })

  it('does not let a slow repository delay the events of other repositories', async () => {
    const slow = await makeRepository(open.db, org.id)
    await makeHook(open.db)
    const events = await record(
      ...Array.from({ length: 10 }, () => pushed(org.id, slow.id)),
      pushed(),
      pushed(),
    )
    let goOn = (): void => {}
    const held = new Promise<void>(resolve => {
      goOn = resolve
    })
    const dispatching = dispatch(
      makers(async (_, event) => {
        if (event.repositoryId === slow.id) await held
        return pushOf(event)
      }),
    )
    await expect.poll(async () => (await readDeliveries()).map(row => row.event_id)).toEqual(events.slice(-2))
    goOn()
    await dispatching
    expect(await readDeliveries()).toHaveLength(12)
  })

  it('returns events that could not be started in time to the outbox, and dispatches them later', async () => {
    await makeHook(open.db)
    const events = await record(...Array.from({ length: 5 }, () => pushed()))
    const slow = makers(async (_, event) => {
      here.now = new Date(here.now.getTime() + 10_000)
      return pushOf(event)
    })
    await dispatch(slow)
    expect((await readDeliveries()).map(row => row.event_id)).toEqual(events.slice(0, 2))
    expect(await dispatch()).toBe(0)
    const left = await outboxOf(open).select('leases').execute()
    expect(left).toEqual([{ leases: 0 }, { leases: 0 }, { leases: 0 }])
    here.now = new Date(here.now.getTime() + 5_000)
    expect(await dispatch()).toBe(3)
    expect((await readDeliveries()).map(row => [row.event_id, row.sequence])).toEqual(
      events.map((event, at) => [event, at + 1]),
    )
  })

  it('returns events that were not started to the outbox immediately when the process stops', async () => {
    await makeHook(open.db)
    const events = await record(...Array.from({ length: 5 }, () => pushed()))
    const stopping = new AbortController()
    const stop = makers(async (_, event) => {
      stopping.abort()
      return pushOf(event)
    })
    await dispatch(stop, stopping.signal)
    expect((await readDeliveries()).map(row => row.event_id)).toEqual([events[0]])
    expect(await dispatch()).toBe(4)
    expect(await waiting()).toEqual([])
  })

  it('writes events one by one if they cannot be written together', async () => {
    await makeHook(open.db)
    const [good, bad] = await record(pushed(), pushed())
    await dispatch(
      makers(async (_, event) => ({ ...pushOf(event), ...(event.id === bad && { event: 'push\u0000' }) })),
    )
    expect((await readDeliveries()).map(row => row.event_id)).toEqual([good])
    expect(await waiting()).toEqual([bad])
  })

  it('creates one delivery for an event that another process handled after the lease ended', async () => {
    await makeHook(open.db)
    const [event] = await record(pushed())
    const slow = makers(async (_, claimed) => {
      // Its lease ends while it is prepared.
      here.now = new Date(here.now.getTime() + 60_000)
      await dispatch()
      return pushOf(claimed)
    })
    await dispatch(slow)
    expect((await readDeliveries()).map(row => [row.event_id, row.sequence])).toEqual([[event, 1]])
  })

  it('discards events without deliveries while webhooks are disabled', async () => {
    await makeHook(open.db)
    await record(pushed())
    here.ctx.config = { ...here.ctx.config, webhooks: false }
    expect(await dispatch()).toBe(1)
    expect([await readDeliveries(), await waiting()]).toEqual([[], []])
  })
})

it('deliveries for a webhook whose receiver asked for a delay are scheduled for the end of that delay', async () => {
  const until = new Date(here.now.getTime() + 60_000)
  await makeHook(open.db, { busy_until: until })
  await makeHook(open.db, { busy_until: new Date(here.now.getTime() - 1) })
  await record(pushed())
  await dispatch()
  expect((await readDeliveries()).map(row => row.next_attempt_at)).toEqual([until, here.now])
})

it('a webhook that is deleted while payloads are being built gets no delivery', async () => {
  const hook = await makeHook(open.db)
  const other = await makeHook(open.db)
  await record(pushed())
  await dispatch(
    makers(async (_, event) => {
      await open.db.deleteFrom('hooks').where('id', '=', hook.id).execute()
      return pushOf(event)
    }),
  )
  const [row, ...rest] = await readDeliveries()
  expect([row?.hook_id, rest]).toEqual([other.id, []])
  expect((await readTraces())[0]?.considered).toEqual([
    { hookId: other.id, outcome: 'queued', deliveryId: row?.id },
  ])
})

const server = await startPostgres()
afterAll(() => server?.stop())

it.skipIf(!server)('a repository can be deleted while its events are being dispatched', async () => {
  const own = await openServerCopy(server!.url)
  const process = makeProcess(own)
  const owner = await makeUser(own.db)
  const { id } = await makeRepository(own.db, owner.id)
  await makeHook(own.db, { scope: 'repository', repository_id: id })
  const origin = { actorId: null, remoteAddress: '', requestId: 'test' }
  await own.db.transaction().execute(trx => recordEvents(trx, origin, [pushed(owner.id, id)]))
  const deleting = await own.db.startTransaction().execute()
  await sql`select from repositories where id = ${id} for update`.execute(deleting)
  const dispatching = dispatchEvents(process.ctx, makers())
  const waits = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(own.db)
    return rows.length
  }
  await expect.poll(waits).toBe(1)
  await sql`delete from repositories where id = ${id}`.execute(deleting)
  await deleting.commit().execute()
  await dispatching
  const left = await outboxOf(own).select('event_id').execute()
  expect(left).toEqual([])
  expect(process.lines.filter(({ level }) => level === 'error')).toEqual([])
  await own.close()
})
