import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { sweepDeliveriesJob } from './sweep'
import { makeDeliveries, makeHook } from './testing/queue'
import { makeProcess } from './testing/worker'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const count = async (table: 'hook_deliveries' | 'hook_payloads' | 'hook_attempts') => {
  const { rows } = await open.pool.query(`select count(*) as count from ${table}`)
  return Number(rows[0].count)
}

it('the cleanup of deliveries deletes finished deliveries older than 30 days with their attempts and payloads, but no pending ones', async () => {
  const now = new Date()
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const hook = await makeHook(open.db)
  const over = { status: 'delivered', next_attempt_at: null } as const
  const [old] = await makeDeliveries(open.db, hook, 1_500, { ...over, created_at: daysAgo(31) })
  await makeDeliveries(open.db, hook, 1, { ...over, created_at: daysAgo(29) })
  await makeDeliveries(open.db, hook, 1, { created_at: daysAgo(31) })
  const attempt = { delivery_id: old!.id, hook_id: hook.id, number: 1, cause: 'first' as const }
  const empty = { started_at: now, duration_ms: 1, url_sealed: Buffer.alloc(0), request_headers: '{}' }
  await open.db
    .insertInto('hook_attempts')
    .values({ ...attempt, ...empty })
    .execute()
  await open.db
    .updateTable('hook_payloads')
    .set({ created_at: daysAgo(31) })
    .execute()
  const { ctx } = makeProcess(open, {}, now)
  const swept = await sweepDeliveriesJob.run(ctx, new AbortController().signal)
  expect(swept).toEqual({ deliveries: 1_500, orphans: 0, traces: 0, payloads: 1 })
  expect(await count('hook_deliveries')).toBe(2)
  expect(await count('hook_payloads')).toBe(2)
  expect(await count('hook_attempts')).toBe(0)
})

it('the cleanup of deliveries keeps them for the number of days in GUILDHALL_WEBHOOK_LOG_DAYS', async () => {
  const { ctx } = makeProcess(open, { GUILDHALL_WEBHOOK_LOG_DAYS: '28' })
  await sweepDeliveriesJob.run(ctx, new AbortController().signal)
  expect(await count('hook_deliveries')).toBe(1)
})

it('the cleanup of deliveries deletes all deliveries of deleted webhooks and none of the others', async () => {
  await open.pool.query('truncate hook_deliveries cascade')
  const now = new Date()
  const hooks = [await makeHook(open.db), await makeHook(open.db), await makeHook(open.db)] as const
  for (const hook of hooks) {
    await makeDeliveries(open.db, hook, 3, { status: 'delivered', next_attempt_at: null })
    await makeDeliveries(open.db, hook, 1)
  }
  await open.db.deleteFrom('hooks').where('id', '=', hooks[1].id).execute()
  const { ctx } = makeProcess(open, {}, now)
  expect(await sweepDeliveriesJob.run(ctx, new AbortController().signal)).toMatchObject({ orphans: 4 })
  const left = await open.db
    .selectFrom('hook_deliveries')
    .select('hook_id')
    .distinct()
    .orderBy('hook_id')
    .execute()
  expect(left.map(row => row.hook_id)).toEqual([hooks[0].id, hooks[2].id])
  expect(await count('hook_deliveries')).toBe(8)
})
