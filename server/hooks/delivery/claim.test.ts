import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '@/db/client'
import { openServer } from '@/db/server/open'
import { openEmbeddedCopy } from '@/db/testing/embedded-template'
import { startPostgres } from '@/db/testing/postgres-server'
import { openServerCopy } from '@/db/testing/server-template'
import { claimDue, endLeases, giveBack, nextDue, type Share } from './claim'
import type { DueDelivery } from './due'
import { makeDeliveries, makeHook } from './testing/queue'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

interface Asked {
  limit?: number
  now?: Date
  until?: Date
  shares?: Share[]
}
const claim = ({ db }: OpenDatabase, { limit = 100, now = at(0), until = at(60), shares = [] }: Asked = {}) =>
  claimDue(db, { now, until, limit, shares, maxPerTarget: 8 })

function countByTarget(claimed: DueDelivery[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { target } of claimed) counts[target] = (counts[target] ?? 0) + 1
  return counts
}

const server = await startPostgres()
afterAll(() => server?.stop())

const engines: [string, () => Promise<OpenDatabase>][] = [
  ['embedded', openEmbeddedCopy],
  ...(server ? [['server', () => openServerCopy(server.url)] as [string, () => Promise<OpenDatabase>]] : []),
]

describe.each(engines)('claiming deliveries on the database engine "%s"', (_, openOne) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openOne()
  })
  afterAll(() => open.close())
  afterEach(() => sql`truncate hooks, hook_deliveries cascade`.execute(open.db))
  const fill = async (host: string, count: number, dueAt = at(-60)) => {
    const hook = await makeHook(open.db, { url: `http://${host}/` })
    return await makeDeliveries(open.db, hook, count, { dueAt })
  }

  it('returns due deliveries, oldest first, and never the same one twice before its lease ends', async () => {
    const [late] = await fill('a.test', 1, at(-1))
    const [early] = await fill('a.test', 1, at(-2))
    await fill('a.test', 1, at(1))
    expect((await claim(open)).map(({ uuid }) => uuid)).toEqual([early!.uuid, late!.uuid])
    expect(await claim(open)).toEqual([])
    expect(await claim(open, { now: at(59), until: at(119) })).toHaveLength(1)
    expect(await claim(open, { now: at(60), until: at(120) })).toHaveLength(2)
  })

  it('skips the deliveries of a deleted webhook and deletes them, without using up the limit', async () => {
    const deleted = await makeHook(open.db, { url: 'http://a.test/' })
    await makeDeliveries(open.db, deleted, 3_000, { dueAt: at(-60) })
    const [other] = await fill('a.test', 1, at(-1))
    await open.db.deleteFrom('hooks').where('id', '=', deleted.id).execute()
    expect((await claim(open, { limit: 8 })).map(({ uuid }) => uuid)).toEqual([other!.uuid])
    expect(await open.db.selectFrom('hook_deliveries').select('uuid').execute()).toEqual([
      { uuid: other!.uuid },
    ])
  })

  it('claims no more deliveries for a target than its limit, no matter how many are pending', async () => {
    await fill('backlogged.test', 300, at(-3600))
    await fill('other.test', 3)
    expect(countByTarget(await claim(open))).toEqual({ 'backlogged.test': 8, 'other.test': 3 })
    const shares = [
      { target: 'backlogged.test', held: 8, max: 8 },
      { target: 'other.test', held: 3, max: 32 },
    ]
    await fill('other.test', 40)
    expect(countByTarget(await claim(open, { shares }))).toEqual({ 'other.test': 29 })
  })

  it('alternates between target hosts if there are too many deliveries, starting with those that have the fewest claimed', async () => {
    for (const host of ['a.test', 'b.test', 'c.test', 'd.test']) await fill(host, 10)
    expect(countByTarget(await claim(open, { limit: 6 }))).toMatchObject({ 'a.test': 2, 'd.test': 1 })
    const shares = ['a.test', 'b.test'].map(target => ({ target, held: 5, max: 8 }))
    expect(countByTarget(await claim(open, { limit: 8, shares }))).toEqual({ 'c.test': 4, 'd.test': 4 })
  })

  it('returns each delivery with the settings of its webhook', async () => {
    const hook = await makeHook(open.db, { url: 'http://a.test:81/', options: '{"channel":"#x"}' })
    await makeDeliveries(open.db, hook, 1, { attempts: 3, tries: 2, cause: 'retry' })
    expect(await claim(open)).toMatchObject([
      {
        hook_id: hook.id,
        target: 'a.test:81',
        attempts: 3,
        tries: 2,
        cause: 'retry',
        type: 'gitea',
        options: { channel: '#x' },
        target_type: 'system',
        account_id: null,
        is_active: true,
        leased_until: at(60),
      },
    ])
  })

  it('makes released deliveries available immediately, unless their lease has been replaced', async () => {
    await fill('a.test', 1)
    const first = await claim(open)
    await giveBack(open.db, first)
    const second = await claim(open, { until: at(61) })
    expect(second).toHaveLength(1)
    await giveBack(open.db, first)
    expect(await claim(open)).toEqual([])
    await endLeases(open.db, at(60))
    expect(await claim(open)).toEqual([])
    await endLeases(open.db, at(61))
    expect(await claim(open)).toHaveLength(1)
  })

  it('reports with nextDue when the next delivery becomes due', async () => {
    await fill('a.test', 1, at(-5))
    expect(await nextDue(open.db, at(0))).toBeUndefined()
    await fill('a.test', 1, at(90))
    await fill('b.test', 1, at(70))
    expect(await nextDue(open.db, at(0))).toEqual(at(70))
  })
})

describe.skipIf(!server)('two processes that claim deliveries at the same time', () => {
  it('together claim each due delivery exactly once', async () => {
    const first = await openServerCopy(server!.url)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(first.db)
    const second = await openServer(server!.url.replace(/\/[^/?]*(\?|$)/, `/${rows[0]?.name}$1`), {
      poolSize: 2,
    })
    for (let host = 0; host < 20; host++) {
      const hook = await makeHook(first.db, { url: `http://${host}.test/` })
      await makeDeliveries(first.db, hook, 6)
    }
    const claimed = (await Promise.all([claim(first), claim(second), claim(first), claim(second)])).flat()
    const rest = await claim(first, { limit: 500 })
    const ids = [...claimed, ...rest].map(({ id }) => id)
    expect(ids).toHaveLength(120)
    expect(new Set(ids).size).toBe(120)
    await second.close()
    await first.close()
  })
})
