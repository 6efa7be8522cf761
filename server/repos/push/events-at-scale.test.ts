import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { openTestDatabase } from '@/db/testing/test-database'
import { selectEventsSince } from './store'

const events = 20_000

let database: OpenDatabase
let recording: Db
const sent: CompiledQuery[] = []
let repositoryId: number

beforeAll(async () => {
  database = await openTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  const owner = await makeUser(db)
  repositoryId = (await makeRepository(db, owner.id)).id
  const busy = await makeRepository(db, owner.id)
  await sql`
    insert into events (kind, in_feed, repository_id, created_at, data)
    select 'git.pushed', true, ${repositoryId}::bigint, now() - n * interval '1 minute', '{"before":"a"}'::jsonb
    from generate_series(1, ${events}::int) n
    union all
    select 'git.pushed', true, ${busy.id}::bigint, now() - n * interval '1 second', '{"before":"a"}'::jsonb
    from generate_series(1, ${events}::int) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}, 120_000)
afterAll(() => database.close())

it('selectEventsSince reads neither older events of the repository nor events of other repositories', async () => {
  const since = new Date(Date.now() - 10.5 * 60_000)
  await selectEventsSince(recording, repositoryId, since)
  const [query] = sent
  if (!query) throw new Error('no query was sent')
  const { rows } = await database.pool.query(`explain (analyze, format json) ${query.sql}`, [
    ...query.parameters,
  ])
  const text = JSON.stringify(rows)
  expect(text).toContain('"Actual Rows":10,')
  expect(text).not.toMatch(/"Rows Removed by Filter":[1-9]/)
})
