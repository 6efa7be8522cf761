import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openTestDatabase } from '@/db/testing/test-database'
import { selectLatest, statusInsertion } from './store'

const contexts = 10
const perContext = 40
const shas = Array.from({ length: 30 }, (_, index) => index.toString(16).padStart(40, '0'))

let database: OpenDatabase
let repository: number

beforeAll(async () => {
  database = await openTestDatabase()
  const { db } = database
  repository = (await makeRepository(db, (await makeUser(db)).id)).id
  await sql`
    insert into commit_statuses (repository_id, sha, number, context, state, source)
    select ${repository}, sha, n, 'context ' || n % ${contexts}::int, case when n > ${contexts * (perContext - 1)}::int then 'success' else 'pending' end, 'token'
    from unnest(${shas}::text[]) sha, generate_series(1, ${contexts * perContext}::int) n`.execute(db)
  await sql`analyze commit_statuses`.execute(db)
})
afterAll(() => database.close())

describe('the newest statuses of each context of a page of commits', () => {
  it('are found whatever the number of older ones', async () => {
    const found = await selectLatest(database.db, repository, [...shas, 'f'.repeat(40)])
    expect(found).toHaveLength(shas.length * contexts)
    expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['success']))
    const first = found.filter(({ sha }) => sha === shas[0]).map(({ number }) => number)
    expect(first).toEqual(Array.from({ length: contexts }, (_, index) => contexts * perContext - index))
    expect(await selectLatest(database.db, repository + 1, shas)).toEqual([])
  })

  it('are found by reading one row for each context', async () => {
    const sent: CompiledQuery[] = []
    const recording: Db = new Kysely({
      dialect: new PostgresDialect({ pool: database.pool }),
      log: event => void sent.push(event.query),
    })
    await selectLatest(recording, repository, shas)
    const nodes = await explainQuery(database, sent[0] as CompiledQuery)
    const read = nodes.filter(node => node['Relation Name'] === 'commit_statuses')
    expect(new Set(read.map(node => node['Node Type'].replace(' Only', '')))).toEqual(new Set(['Index Scan']))
    expect(rowsReadBy(read)).toBeLessThanOrEqual(shas.length * (contexts + 1))
  })
})

it('statuses of several commits that are inserted together are numbered within each commit, in order', async () => {
  const { db } = database
  const [one, other] = ['a'.repeat(40), 'b'.repeat(40)]
  const insert = () =>
    db.transaction().execute(trx =>
      statusInsertion(
        repository,
        sql`select position, case when position % 2 = 0 then ${one} else ${other} end as sha, 'c' || position / 4 as context,
          'success' as state, '' as description, '' as target_url, null::bigint as creator_id, 'token' as source, now() as created_at
          from generate_series(0, 5) position`,
      ).execute(trx),
    )
  await insert()
  const { rows: statuses } = await insert()
  expect(statuses.map(({ sha, number, context }) => [sha, number, context])).toEqual([
    ...[one, other].flatMap(sha => [
      [sha, 4, 'c0'],
      [sha, 5, 'c0'],
      [sha, 6, 'c1'],
    ]),
  ])
  expect(statuses[0]?.is_awaited).toBe(false)
  const totals = await db.selectFrom('commit_status_totals').select(['last_number', 'contexts']).execute()
  expect(totals).toEqual([one, other].map(() => ({ last_number: 6, contexts: 2 })))
})
