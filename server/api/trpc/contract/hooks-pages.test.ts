import { describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { seal } from '@/server/kernel/seal'
import type { ScopeName } from '@/server/scopes/schema'
import { signIn } from '@/testing/browser'
import { makeDelivery, makeHook } from '@/testing/hooks'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeOwner() {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const scope: ScopeName = { kind: 'organization', org: org.name }
  return { org, scope, browser: await signIn(site, owner) }
}

type Values = Parameters<typeof makeDelivery>[2]

const at = (hour: number) => new Date(Date.UTC(2026, 10, 22, hour))
const ok = (count: number): (number | null)[] => Array(count).fill(200)

/** Inserts a delivery with one attempt for each of these response codes. */
async function makeAttempts(
  hook: { id: number; target: string },
  values: Values,
  codes: (number | null)[],
  attempt: { error?: string } = {},
) {
  const delivery_id = await makeDelivery(site, hook, { last_status: codes.at(-1) ?? null, ...values })
  const attempts = codes.map((status, at) => ({
    delivery_id,
    hook_id: hook.id,
    number: at + 1,
    cause: 'first' as const,
    started_at: new Date(),
    duration_ms: 1,
    url_sealed: Buffer.alloc(0),
    request_headers: '{}',
    status,
    error: status !== null && status < 300 ? null : 'it failed',
    ...attempt,
  }))
  if (attempts.length > 0) await site.db.insertInto('hook_attempts').values(attempts).execute()
}

describe('hooks.browse', () => {
  it('returns each webhook’s last hundred attempts, number of pending deliveries, and newest delivery', async () => {
    const { org, scope, browser } = await makeOwner()
    const busy = await makeHook(site, { owner_id: org.id })
    const idle = await makeHook(site, { owner_id: org.id })
    await makeAttempts(busy, { status: 'pending', next_attempt_at: at(9), created_at: at(1) }, [])
    await makeAttempts(busy, { status: 'failed', created_at: at(2) }, [...ok(60), ...ok(60).fill(null)])
    await makeAttempts(busy, { status: 'delivered', created_at: at(3) }, [500, 302, 204])
    const { data } = await browser.query('hooks.browse', { scope })
    expect(data).toMatchObject({ total: 2, page: 1, limit: 30 })
    expect(data.items[0]).toMatchObject({
      id: busy.id,
      health: {
        outcomes: ['+'.repeat(37), '-'.repeat(62), '+'].join(''),
        pending: 1,
        last: { at: '2026-11-22T03:00:00Z', status: 'delivered', code: 204 },
      },
    })
    expect((await browser.query('hooks.get', { scope, id: busy.id })).data).toEqual(data.items[0])
    expect(data.items[1]).toMatchObject({ id: idle.id, health: { outcomes: '', pending: 0, last: null } })
  })
})

describe('the health of a webhook', () => {
  it('depends on the outcome of attempts, not on the response status, and ignores pings and tests', async () => {
    const { org, scope, browser } = await makeOwner()
    const hook = await makeHook(site, { owner_id: org.id })
    await makeAttempts(hook, { status: 'delivered' }, [200])
    await makeAttempts(hook, { status: 'pending', next_attempt_at: at(9) }, [200], {
      error: 'timed out: the response did not end within 10 seconds',
    })
    for (const kind of ['ping', 'test'] as const)
      await makeAttempts(hook, { status: 'failed', kind }, [500, 500])
    const { data } = await browser.query('hooks.get', { scope, id: hook.id })
    expect(data.health.outcomes).toBe('+-')
  })
})

describe('hooks.countReplay', () => {
  it('returns how many deliveries a replay would send, without sending any', async () => {
    const { org, scope, browser } = await makeOwner()
    const hook = await makeHook(site, { owner_id: org.id })
    for (const hour of [1, 2, 3]) await makeDelivery(site, hook, { status: 'failed', created_at: at(hour) })
    await makeDelivery(site, hook, { status: 'delivered', created_at: at(3) })
    const count = async (span: object) =>
      (await browser.query('hooks.countReplay', { scope, id: hook.id, ...span })).data
    const since = at(2).toISOString()
    expect(await count({ since })).toEqual({ count: 2, next: null })
    expect(await count({ since, limit: 1 })).toEqual({ count: 1, next: expect.any(Number) })
    expect(await count({ since, status: 'all' })).toEqual({ count: 3, next: null })
    const { data } = await browser.query('hooks.countDeliveries', { scope, id: hook.id })
    expect(data).toEqual({ pending: 0, delivered: 1, failed: 3 })
  })
})

describe('hooks.getDelivery', () => {
  it('shows each attempt as it was sent, with the URL and method of the webhook’s type', async () => {
    const { org, scope, browser } = await makeOwner()
    const address = 'https://matrix.example.test/_matrix/client/v3/rooms/!r/send/m.room.message'
    const hook = await makeHook(site, { owner_id: org.id }, { type: 'matrix' })
    await makeAttempts(hook, {}, [200])
    await site.db
      .updateTable('hook_attempts')
      .set({ url_sealed: seal(site.services.config, 'hook.url', address) })
      .where('hook_id', '=', hook.id)
      .execute()
    const name = { scope, id: hook.id }
    const [{ id: delivery_id, guid }] = (await browser.query('hooks.browseDeliveries', name)).data.items
    const { data } = await browser.query('hooks.getDelivery', { ...name, delivery_id })
    expect(data.attempts).toMatchObject([{ url: `${address}/${guid}`, request: { method: 'PUT' } }])
  })
})
