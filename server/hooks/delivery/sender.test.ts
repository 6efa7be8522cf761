import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { answerWith, openReceiver, type Receiver } from '@/testing/receiver'
import { makeDeliveries, makeHook } from './testing/queue'
import { makeProcess, startSending, type TestProcess, wake } from './testing/worker'

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

let open: OpenDatabase
let receiver: Receiver
let here: TestProcess
let sending: { stop(): Promise<void> }
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())
beforeEach(async () => {
  receiver = await openReceiver()
  here = makeProcess(open)
  sending = startSending(here)
})
afterEach(async () => {
  await sending.stop()
  await receiver.close()
  await sql`truncate hooks, hook_deliveries, events cascade`.execute(open.db)
})

const hookOf = (columns: Parameters<typeof makeHook>[1] = {}) =>
  makeHook(open.db, { url: `${receiver.url}/hook`, ...columns })
const later = (ms: number) => {
  here.now = new Date(here.now.getTime() + ms)
  wake(here)
}
const readDeliveries = () => open.db.selectFrom('hook_deliveries').selectAll().orderBy('id').execute()
const readAttempts = () => open.db.selectFrom('hook_attempts').selectAll().orderBy('id').execute()
const readHook = (id: number) =>
  open.db.selectFrom('hooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const patiently = { timeout: 10_000, interval: 10 }
/** Waits until every delivery has this status and this number of attempts. */
const settled = async (status: string, attempts: number) => {
  await vi.waitFor(async () => {
    const rows = await readDeliveries()
    const found = rows.map(row => ({
      status: row.status,
      attempts: row.attempts,
      isLeased: !!row.leased_until,
    }))
    expect(found).toEqual(rows.map(() => ({ status, attempts, isLeased: false })))
  }, patiently)
  return await readDeliveries()
}

describe('a due delivery', () => {
  it('is sent immediately, and its attempt is recorded without credentials', async () => {
    receiver.answer(answerWith(202, { 'X-Seen': 'yes' }, 'thanks'))
    const hook = await hookOf({ secret: 'a secret', authorization: 'Bearer token' })
    const [made] = await makeDeliveries(open.db, hook, 1, { body: '{"a":1}' })
    wake(here)
    const [row] = await settled('delivered', 1)
    expect(row).toMatchObject({
      last_status: 202,
      last_error: null,
      next_attempt_at: null,
      finished_at: here.now,
    })
    const [call] = receiver.calls
    expect(call).toMatchObject({ path: '/hook', body: '{"a":1}', headers: { authorization: 'Bearer token' } })
    const [attempt] = await readAttempts()
    expect(attempt).toMatchObject({
      delivery_id: made!.id,
      number: 1,
      cause: 'first',
      status: 202,
      error: null,
      response_headers: expect.objectContaining({ 'x-seen': 'yes' }),
      response_truncated: false,
      request_headers: expect.objectContaining({ Authorization: '******', 'X-Gitea-Delivery': made!.uuid }),
    })
    expect(gunzipSync(attempt!.response_body!).toString()).toBe('thanks')
    expect(JSON.stringify(attempt)).not.toContain('Bearer token')
  })

  it('is attempted at most ten times with the same bytes and ID, and has then failed', async () => {
    receiver.answer(answerWith(500, {}, 'no'))
    await makeDeliveries(open.db, await hookOf(), 1, { body: '{"a":1}' })
    wake(here)
    for (let attempt = 1; attempt < 10; attempt++) {
      const [row] = await settled('pending', attempt)
      expect(row).toMatchObject({ last_status: 500, last_error: 'answered 500', cause: 'retry' })
      later(row!.next_attempt_at!.getTime() - here.now.getTime())
    }
    const [row] = await settled('failed', 10)
    expect(row).toMatchObject({ finished_at: here.now, next_attempt_at: null })
    const sent = receiver.calls.map(({ headers, body }) => [
      headers['x-gitea-delivery'],
      headers['webhook-id'],
      body,
    ])
    expect(sent).toEqual(Array.from({ length: 10 }, () => [row!.uuid, row!.uuid, '{"a":1}']))
    expect(receiver.calls.map(({ headers }) => headers['x-guildhall-attempt'])).toEqual(
      Array.from({ length: 10 }, (_, at) => String(at + 1)),
    )
    expect((await readAttempts()).map(({ cause }) => cause)).toEqual(['first', ...Array(9).fill('retry')])
  })

  it('is not sent before its next attempt time', async () => {
    const dueAt = new Date(here.now.getTime() + hour)
    await makeDeliveries(open.db, await hookOf(), 1, { dueAt })
    later(hour - second)
    later(0)
    expect(receiver.calls).toEqual([])
    later(second)
    await settled('delivered', 1)
  })

  it('is not delayed by another target that does not respond', async () => {
    const hanging = await openReceiver()
    hanging.answer(() => {})
    await makeDeliveries(open.db, await makeHook(open.db, { url: hanging.url }), 100)
    wake(here)
    await hanging.got(8)
    const hook = await hookOf()
    await makeDeliveries(open.db, hook, 50)
    wake(here)
    await receiver.got(50)
    expect(hanging.calls).toHaveLength(8)
    await hanging.close()
  })
})

describe('the webhook of a receiver', () => {
  it('postpones all its deliveries until the time that a busy receiver asked for', async () => {
    receiver.answer(answerWith(429, { 'Retry-After': '600' }))
    const hook = await hookOf()
    await makeDeliveries(open.db, hook, 1)
    await makeDeliveries(open.db, hook, 3, { dueAt: new Date(here.now.getTime() + minute) })
    wake(here)
    const until = new Date(here.now.getTime() + 600 * second)
    await vi.waitFor(async () => {
      expect((await readDeliveries()).map(row => row.next_attempt_at)).toEqual([until, until, until, until])
    })
    const [waited] = await makeDeliveries(open.db, hook, 1)
    wake(here)
    await vi.waitFor(async () => {
      const rows = await readDeliveries()
      expect(rows.find(({ id }) => id === waited!.id)).toMatchObject({ next_attempt_at: until, attempts: 0 })
    })
    expect(await readHook(hook.id)).toMatchObject({ busy_until: until })
    receiver.answer(answerWith(200))
    later(599 * second)
    expect(receiver.calls).toHaveLength(1)
    later(second)
    await receiver.got(6)
  })

  it('sends manual deliveries immediately even if the receiver is busy', async () => {
    receiver.answer(answerWith(429, { 'Retry-After': '3600' }))
    const hook = await hookOf()
    await makeDeliveries(open.db, hook, 1)
    wake(here)
    await settled('pending', 1)
    receiver.answer(answerWith(200))
    await makeDeliveries(open.db, hook, 1, { cause: 'redelivery' })
    await makeDeliveries(open.db, hook, 1, { kind: 'ping' })
    await makeDeliveries(open.db, hook, 1, { cause: 'replay' })
    await makeDeliveries(open.db, hook, 1, { cause: 'manual_retry' })
    wake(here)
    await vi.waitFor(async () => {
      const rows = await readDeliveries()
      expect(rows.map(({ status }) => status)).toEqual([
        'pending',
        'delivered',
        'delivered',
        'pending',
        'delivered',
      ])
    })
  })

  it('is disabled by a response of 410, and its pending deliveries are not sent', async () => {
    receiver.answer(answerWith(410))
    const hook = await hookOf()
    await makeDeliveries(open.db, hook, 1)
    await makeDeliveries(open.db, hook, 2, { dueAt: new Date(here.now.getTime() + hour) })
    wake(here)
    await vi.waitFor(async () => {
      expect((await readDeliveries()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
    })
    const why = 'not sent: the webhook was disabled because its receiver responded with 410 Gone'
    expect((await readDeliveries()).map(row => row.last_error)).toEqual(['answered 410', why, why])
    expect(await readHook(hook.id)).toMatchObject({ is_active: true, disabled_reason: 'gone' })
    const [event] = await open.db.selectFrom('events').select(['kind', 'data']).execute()
    expect(event).toMatchObject({ kind: 'hook.disabled', data: { hookId: hook.id, why: 'gone' } })
    await makeDeliveries(open.db, hook, 1)
    later(0)
    await vi.waitFor(async () => {
      expect((await readDeliveries()).at(-1)).toMatchObject({
        status: 'failed',
        attempts: 0,
        last_error: why,
      })
    })
    expect(receiver.calls).toHaveLength(1)
  })

  it('is disabled after ten failures over five days without a success', async () => {
    receiver.answer(answerWith(500))
    const hook = await hookOf()
    const [delivery] = await makeDeliveries(open.db, hook, 1)
    wake(here)
    await settled('pending', 1)
    const since = here.now
    expect(await readHook(hook.id)).toMatchObject({ failing_since: since, disabled_reason: null })
    later(5 * day - minute)
    await settled('pending', 2)
    expect(await readHook(hook.id)).toMatchObject({ failing_since: since, disabled_reason: null })
    const attempt = { delivery_id: delivery!.id, hook_id: hook.id, number: 1, cause: 'first' as const }
    const failed = {
      ...attempt,
      started_at: since,
      duration_ms: 1,
      url_sealed: Buffer.alloc(0),
      request_headers: '{}',
    }
    await open.db.insertInto('hook_attempts').values(Array(7).fill(failed)).execute()
    await makeDeliveries(open.db, hook, 1, { attempts: 2 })
    later(minute)
    await vi.waitFor(async () => {
      expect(await readHook(hook.id)).toMatchObject({ failing_since: since, disabled_reason: 'failing' })
    })
    expect((await readDeliveries()).map(({ status }) => status)).toEqual(['failed', 'failed'])
  })

  it('stays enabled after nine failures in more than five days', async () => {
    receiver.answer(answerWith(500))
    const hook = await hookOf()
    await makeDeliveries(open.db, hook, 1)
    for (let attempts = 1; attempts <= 9; attempts++) {
      wake(here)
      await settled('pending', attempts)
      if (attempts < 9) later(2 * day)
    }
    expect(await readHook(hook.id)).toMatchObject({ disabled_reason: null })
  })

  it('is not marked as failing by failed pings and tests, but a successful one clears the mark', async () => {
    receiver.answer(answerWith(500, {}, ''))
    const since = new Date(here.now.getTime() - 6 * day)
    const fine = await hookOf()
    const failing = await hookOf({ failing_since: since })
    for (const kind of ['ping', 'test'] as const) {
      await makeDeliveries(open.db, fine, 5, { kind })
      await makeDeliveries(open.db, failing, 5, { kind })
    }
    wake(here)
    await settled('failed', 1)
    const [delivery] = await makeDeliveries(open.db, failing, 1)
    wake(here)
    await vi.waitFor(async () => expect((await readDeliveries()).at(-1)).toMatchObject({ attempts: 1 }))
    expect(await readHook(fine.id)).toMatchObject({ failing_since: null })
    expect(await readHook(failing.id)).toMatchObject({ failing_since: since, disabled_reason: null })
    receiver.answer(answerWith(200, {}, ''))
    await makeDeliveries(open.db, failing, 1, { kind: 'ping' })
    wake(here)
    await vi.waitFor(async () => expect((await readHook(failing.id)).failing_since).toBeNull())
    expect((await readDeliveries()).find(({ id }) => id === delivery!.id)?.status).toBe('pending')
  })

  it('is no longer failing after one successful response', async () => {
    receiver.answer(answerWith(500))
    const hook = await hookOf()
    await makeDeliveries(open.db, hook, 1)
    wake(here)
    await settled('pending', 1)
    receiver.answer(answerWith(200))
    later(4 * day)
    await settled('delivered', 2)
    expect((await readHook(hook.id)).failing_since).toBeNull()
  })
})

describe('a sending process', () => {
  it('finishes its requests when it stops, and releases deliveries that take longer than the grace period', async () => {
    let release = (): void => {}
    receiver.answer(response => {
      if (receiver.calls.length === 1) release = () => void response.end()
    })
    const [first, other] = await makeDeliveries(open.db, await hookOf(), 2)
    wake(here)
    await receiver.got(2)
    const stopped = sending.stop()
    release()
    await stopped
    const rows = await readDeliveries()
    const byId = new Map(rows.map(row => [row.id, row]))
    const [done, returned] = byId.get(first!.id)!.status === 'delivered' ? [first!, other!] : [other!, first!]
    expect(byId.get(done.id)).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(byId.get(returned.id)).toMatchObject({ status: 'pending', attempts: 0, leased_until: null })
  }, 15_000)

  it('sends deliveries that a killed process had claimed when their lease ends, or immediately if it runs alone', async () => {
    await sending.stop()
    const leased = { leased_until: new Date(here.now.getTime() + minute) }
    const [made] = await makeDeliveries(open.db, await hookOf(), 1, leased)
    sending = startSending(here)
    wake(here)
    later(minute)
    await settled('delivered', 1)
    expect(receiver.calls[0]?.headers['x-gitea-delivery']).toBe(made!.uuid)
    await sending.stop()
    await makeDeliveries(open.db, await hookOf(), 1, { leased_until: new Date(here.now.getTime() + minute) })
    sending = startSending(here, true)
    await settled('delivered', 1)
  })

  it('records an attempt that ended too late without changing the state of the delivery', async () => {
    let release = (): void => {}
    receiver.answer(response => {
      release = () => void response.end()
    })
    await makeDeliveries(open.db, await hookOf(), 1)
    wake(here)
    await receiver.got(1)
    // A redelivery is requested while the delivery is being sent.
    const again = {
      leased_until: null,
      tries: 0,
      cause: 'redelivery' as const,
      next_attempt_at: new Date(here.now.getTime() + hour),
    }
    await open.db.updateTable('hook_deliveries').set(again).execute()
    release()
    const [row] = await settled('pending', 1)
    expect(row).toMatchObject({ tries: 0, cause: 'redelivery', next_attempt_at: again.next_attempt_at })
  })

  it('marks queued deliveries of an inactive webhook as failed, but sends its pings', async () => {
    const hook = await hookOf({ is_active: false })
    await makeDeliveries(open.db, hook, 1)
    await makeDeliveries(open.db, hook, 1, { kind: 'ping' })
    wake(here)
    await vi.waitFor(async () => {
      expect((await readDeliveries()).map(({ status }) => status)).toEqual(['failed', 'delivered'])
    })
    expect((await readDeliveries())[0]).toMatchObject({
      attempts: 0,
      last_error: 'not sent: the webhook is not active',
    })
  })

  it('continues with other deliveries if a webhook is deleted during a request', async () => {
    let release = (): void => {}
    receiver.answer((response, { path }) => {
      if (path === '/gone') release = () => void response.end()
      else response.end()
    })
    const refusing = await hookOf({ url: `${receiver.url}/gone` })
    await makeDeliveries(open.db, refusing, 1)
    wake(here)
    await receiver.got(1)
    await open.db.deleteFrom('hooks').where('id', '=', refusing.id).execute()
    await makeDeliveries(open.db, await hookOf(), 2)
    release()
    wake(here)
    const delivered = async () => (await readDeliveries()).filter(({ status }) => status === 'delivered')
    await vi.waitFor(async () => expect(await delivered()).toHaveLength(2), patiently)
    // While its result is being written, the delivery of the deleted hook is left for the end of its next lease.
    await vi.waitFor(async () => {
      later(minute)
      expect(await readDeliveries()).toHaveLength(2)
    }, patiently)
    expect(await settled('delivered', 1)).toHaveLength(2)
  })

  it('exports metrics for the results of deliveries and the length of the queue', async () => {
    await makeDeliveries(open.db, await hookOf(), 3)
    wake(here)
    await settled('delivered', 1)
    const text = await here.services.metrics.read()
    expect(text).toContain('guildhall_webhook_deliveries_total{result="delivered"} 3')
    expect(text).toMatch(/^guildhall_webhook_queue_length \d+$/m)
    expect(text).toMatch(/^guildhall_webhook_queue_oldest_seconds [\d.]+$/m)
  })

  it('reports in the log and on the delivery that the settings of the webhook cannot be decrypted', async () => {
    const url = { config: { secretKey: 'the key of another instance' } }
    await makeDeliveries(open.db, await hookOf(url), 1)
    wake(here)
    const [row] = await settled('pending', 1)
    expect(row?.last_error).toMatch(/^not sent: /)
    expect(here.lines).toContainEqual(expect.objectContaining({ level: 'error', delivery: row?.uuid }))
  })
})
