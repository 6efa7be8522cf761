import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { claimDue } from './claim'
import type { Result } from './outcome'
import { makeDeliveries, makeHook } from './testing/queue'
import { makeProcess } from './testing/worker'
import { createResultWriter } from './writer'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())
afterEach(() => open.pool.query('truncate hooks, hook_deliveries cascade'))

const now = new Date()
const next = new Date(now.getTime() + 5_000)

/** Returns the results of two deliveries that one process attempted and that failed with this message. */
async function failWith(...errors: string[]): Promise<Result[]> {
  await makeDeliveries(open.db, await makeHook(open.db), errors.length)
  const until = new Date(now.getTime() + 60_000)
  const claimed = await claimDue(open.db, { now, until, limit: 10, shares: [], maxPerTarget: 8 })
  return claimed.map((due, at) => ({
    due,
    attempt: { startedAt: now, headers: {}, exchange: { durationMs: 1, error: errors[at] } },
    outcome: { status: 'pending', next, busyUntil: undefined },
    error: errors[at],
  }))
}

async function write(results: readonly Result[]): Promise<void> {
  const writer = createResultWriter(makeProcess(open, {}, now).ctx)
  for (const result of results) writer.add(result)
  await writer.end()
}

describe('the result writer', () => {
  it('writes the other results if the database refuses one, and repeats the delivery of that one only when its lease ends', async () => {
    await write(await failWith('timed out', 'a text that PostgreSQL cannot hold: \u0000'))
    const rows = await open.db
      .selectFrom('hook_deliveries')
      .select(['attempts', 'tries', 'leased_until', 'next_attempt_at'])
      .orderBy('attempts')
      .execute()
    const ended = { tries: 1, leased_until: null, next_attempt_at: next }
    expect(rows).toEqual([
      { attempts: 0, ...ended },
      { attempts: 1, ...ended },
    ])
  })

  it('writes a result only once if it is added again after a lost commit confirmation', async () => {
    const results = await failWith('timed out')
    await write(results)
    await write(results)
    const attempts = await open.db.selectFrom('hook_attempts').select('number').execute()
    expect(attempts).toEqual([{ number: 1 }])
    const row = await open.db.selectFrom('hook_deliveries').select(['attempts', 'tries']).executeTakeFirst()
    expect(row).toEqual({ attempts: 1, tries: 1 })
  })
})
