import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { addToTeam, makeOrg, makeTeam, makeUser } from '@/db/testing/factories'
import { startPostgres } from '@/db/testing/postgres-server'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openServerCopy } from '@/db/testing/server-template'
import { withTransaction } from '@/db/transaction'
import { selectNotifications } from './store'
import { writeNotifications } from './write'

const server = await startPostgres()
afterAll(() => server?.stop())

describe.skipIf(!server)('notifications on a PostgreSQL server', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openServerCopy(server!.url)
  })
  afterAll(() => open.close())

  const about = (account_id: number, subject_id: number, event_id = 1) => ({
    ...{ account_id, subject_id, event_id },
    kind: 'team_joined' as const,
  })
  const rowsOf = (accountId: number) =>
    open.db
      .selectFrom('notifications')
      .select(['subject_id', 'event_id'])
      .where('account_id', '=', accountId)
      .orderBy('id')
      .execute()

  it('become visible in the order of their IDs, because a second writer waits for the first', async () => {
    const { id } = await makeUser(open.db)
    const first = await open.db.startTransaction().execute()
    await writeNotifications(first, [about(id, 1)], new Date())
    const second = withTransaction(open.db, trx => writeNotifications(trx, [about(id, 2)], new Date()))
    const state = await Promise.race([second.then(() => 'written'), sleep(100, 'waits')])
    expect([state, await rowsOf(id)]).toEqual(['waits', []])
    await first.commit().execute()
    await second
    expect((await rowsOf(id)).map(row => row.subject_id)).toEqual([1, 2])
  })

  it('are not replaced by an earlier event about the same subject, or for a deleted account', async () => {
    const { id } = await makeUser(open.db)
    for (const event of [2, 1, 3, 3])
      await withTransaction(open.db, trx => writeNotifications(trx, [about(id, 1, event)], new Date()))
    expect(await rowsOf(id)).toEqual([{ subject_id: 1, event_id: 3 }])
    await withTransaction(open.db, trx => writeNotifications(trx, [about(-1, 1)], new Date()))
    expect(await rowsOf(-1)).toEqual([])
  })

  it('are read through an index, and of others nothing', async () => {
    const { db } = open
    const [person, other] = [await makeUser(db), await makeUser(db)]
    const team = await makeTeam(db, (await makeOrg(db, other.id)).id)
    await addToTeam(db, team, person.id)
    await sql`
      insert into notifications (account_id, kind, subject_id, read_at)
      select ${other.id}::bigint, 'team_joined', n, case when n % 2 = 0 then now() end from generate_series(1, 20000) n
      union all select ${person.id}::bigint, 'run_failed', n, null from generate_series(1, 500) n`.execute(db)
    await withTransaction(db, trx => writeNotifications(trx, [about(person.id, team.id)], new Date()))
    await sql`vacuum analyze notifications`.execute(db)
    const sent: CompiledQuery[] = []
    const recording: Db = new Kysely({
      dialect: new PostgresDialect({ pool: open.pool }),
      log: ({ query }) => void sent.push(query),
    })
    const subject = { isAdmin: false, isRestricted: false, publicOnly: false } as const
    const viewer = { kind: 'user', id: person.id, ...subject } as const
    const input = { cursor: undefined, limit: 5 }
    const page = await selectNotifications(recording, viewer, { ...input, unread_only: true })
    expect([page.unread, page.rows.map(({ facts }) => facts.team)]).toEqual([1, [team.name]])
    await selectNotifications(recording, viewer, { ...input, unread_only: false })
    expect(sent).toHaveLength(2)
    for (const query of sent) {
      const nodes = await explainQuery(open, query)
      const reads = nodes.filter(node => node['Relation Name'] === 'notifications')
      expect(reads.length).toBeGreaterThan(0)
      for (const read of reads) expect(read['Node Type']).toMatch(/^Index|^Bitmap/)
      expect(rowsReadBy(reads)).toBeLessThan(1_100)
    }
  })
})
