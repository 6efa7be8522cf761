import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { resolveFilter } from './list'
import { EventFilter } from './schema'
import { selectEvents } from './store'

const events = 40_000
const limit = 31

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []

beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  const [busy, quiet] = [await makeUser(db, { name: 'busy' }), await makeUser(db, { name: 'quiet' })]
  const engine = await makeRepository(db, busy.id, { name: 'engine' })
  const other = await makeRepository(db, busy.id, { name: 'other' })
  // Rare rows are at the far end: one event per minute, and all events of one account before those of the
  // other.
  await sql`
    insert into events (kind, in_feed, actor_id, owner_id, repository_id, created_at)
    select case when n <= 40 then 'key.added' when n % 2 = 0 then 'run.started' else 'job.started' end, false,
      case when n <= 40 then ${quiet.id}::bigint else ${busy.id}::bigint end,
      case when n <= 40 then ${quiet.id}::bigint else ${busy.id}::bigint end,
      case when n <= 40 then ${engine.id}::bigint else ${other.id}::bigint end,
      '2020-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${events}::int) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}, 120_000)
afterAll(() => database.close())

it.each([
  {},
  { kind: 'actions' },
  { kind: 'key.added' },
  { kind: 'credentials', actor: 'quiet' },
  { actor: 'quiet' },
  { actor: 'busy' },
  { place: 'quiet' },
  { place: 'busy/engine' },
  { from: '2020-01-05', to: '2020-01-05' },
  { to: '2020-01-01' },
  { to: '2020-01-05', kind: 'actions' },
  { from: '2020-01-05', to: '2020-01-05', actor: 'busy' },
  { from: '2020-01-10', to: '2020-01-10', actor: 'quiet' },
])('a page of audit events filtered by %j reads only slightly more rows than it shows', async filter => {
  sent = []
  const wanted = await resolveFilter({ db: recording }, EventFilter.parse(filter))
  await selectEvents(recording, wanted!, limit)
  for (const query of sent.filter(({ sql }) => sql.includes('from events'))) {
    // Each row passes through every step of the plan. A filter by day also reads ten minutes on either side.
    expect(rowsReadBy(await explainQuery(database, query)), query.sql).toBeLessThan(40 * limit)
  }
})
