import { once } from 'node:events'
import { CamelCasePlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { dryRun, withTransaction } from '@/db/transaction'
import type { NewEvent } from './catalogue'
import { announce, hubOf, type Signal } from './hub'
import { recordEvent, recordEvents } from './record'

let open: OpenDatabase
beforeAll(async () => {
  open = await openTestDatabase()
})
afterAll(() => open.close())

const origin = { actorId: null, remoteAddress: '', requestId: 'told' }
const renamed = (orgId: number): NewEvent => ({
  kind: 'org.renamed',
  ownerId: null,
  facts: { orgId, from: 'a', to: 'b' },
})

function listen(db: Db): Signal[] {
  const received: Signal[] = []
  onTestFinished(hubOf(db).listen(signals => received.push(...signals)))
  return received
}

describe('the event hub of a database', () => {
  it('publishes a transaction’s events with their IDs after the commit', async () => {
    const received = listen(open.db)
    await withTransaction(open.db, async trx => {
      await recordEvents(trx, origin, [renamed(1), renamed(2)])
      await recordEvent(trx, origin, renamed(3))
      expect(received).toEqual([])
    })
    const rows = await open.db.selectFrom('events').select('id').orderBy('id').execute()
    const shared = { kind: 'org.renamed', ownerId: null, repositoryId: null }
    expect(received).toEqual(rows.map(({ id }) => ({ id, ...shared })))
  })

  it('publishes nothing that was rolled back', async () => {
    const received = listen(open.db)
    const failing = withTransaction(open.db, async trx => {
      await recordEvent(trx, origin, renamed(4))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await dryRun(open.db, trx => recordEvent(trx, origin, renamed(5)))
    expect(received).toEqual([])
  })

  it('publishes a notice immediately, or after the commit if it is announced in a transaction', async () => {
    const notice = (hookId: number) => ({ kind: 'hook.delivery_changed', hookId }) as const
    const received = listen(open.db.withPlugin(new CamelCasePlugin()))
    await withTransaction(open.db, async trx => {
      announce(trx, notice(3))
      expect(received).toEqual([])
    })
    announce(open.db, notice(4))
    expect(received).toEqual([notice(3), notice(4)])
  })

  it('publishes a notice about a webhook once for a transaction that announces it many times', async () => {
    const received = listen(open.db)
    const notice = (hookId: number) => ({ kind: 'hook.delivery_changed', hookId }) as const
    await withTransaction(open.db, async trx => {
      for (let delivery = 0; delivery < 2_000; delivery++) announce(trx, notice(1 + (delivery % 2)))
    })
    expect(received).toEqual([notice(1), notice(2)])
  })

  it('does not notify listeners of another database in the same process', async () => {
    const other = await openTestDatabase()
    onTestFinished(() => other.close())
    const received = listen(other.db)
    await withTransaction(open.db, trx => recordEvent(trx, origin, renamed(6)))
    expect(received).toEqual([])
  })

  it('keeps the change and notifies the other listeners when one listener throws', async () => {
    onTestFinished(
      hubOf(open.db).listen(() => {
        throw new Error('deaf')
      }),
    )
    const received = listen(open.db)
    const warned = once(process, 'warning')
    await withTransaction(open.db, trx => recordEvent(trx, origin, renamed(7)))
    expect(received).toHaveLength(1)
    expect((await warned)[0].message).toBe('deaf')
  })
})
