import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { WorkerOptions } from '@/server/kernel/jobs'
import type { EventKind, NewEvent } from './catalogue'
import type { EventConsumer } from './outbox'
import { recordEvents } from './record'
import { defineEventWorker } from './worker'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const events: Partial<Record<EventKind, NewEvent>> = {
  'org.renamed': { kind: 'org.renamed', ownerId: null, facts: { orgId: 7, from: 'a', to: 'b' } },
  'password.changed': { kind: 'password.changed', ownerId: null, facts: { userId: 8 } },
}
const consumers: EventConsumer[] = [
  { name: 'renames', kinds: ['org.renamed'] },
  { name: 'passwords', kinds: ['password.changed'] },
]

it('a worker wakes for the events of its consumer, and continues at once while there are more than it can lease', async () => {
  const left = { renames: 0, passwords: 0 }
  const rounds: string[] = []
  const stop = new AbortController()
  const running = consumers.map(consumer => {
    const name = consumer.name as keyof typeof left
    const handle = async () => {
      rounds.push(name)
      const handled = Math.min(left[name], 2)
      left[name] -= handled
      return handled
    }
    const worker = defineEventWorker({ name, consumer, leaseMs: 1_000, maxEvents: 2, handle })
    return worker.run({ db: open.db } as ServiceCtx, { signal: stop.signal } as WorkerOptions)
  })
  const expectRounds = async (kind: EventKind, waiting: Partial<typeof left>, expected: string[]) => {
    Object.assign(left, waiting)
    rounds.splice(0)
    const origin = { actorId: null, remoteAddress: '', requestId: '' }
    await withTransaction(open.db, trx => recordEvents(trx, origin, [events[kind]!], consumers))
    await expect.poll(() => rounds).toEqual(expected)
    await sleep(20)
    expect(rounds).toEqual(expected)
  }
  await expect.poll(() => rounds).toEqual(['renames', 'passwords'])
  await expectRounds('org.renamed', { renames: 1, passwords: 1 }, ['renames'])
  await expectRounds('password.changed', { passwords: 5 }, ['passwords', 'passwords', 'passwords'])
  stop.abort()
  await Promise.all(running)
})
