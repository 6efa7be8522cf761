import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { visibleRepositories } from '@/server/access'
import { findRows } from './search-rows'
import { repositories } from './store'

const many = 20_000
const anybody = { kind: 'anonymous' } as const

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []

beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { id, name } = await makeUser(database.db, { name: 'crowded' })
  // One in a hundred is public. One row, sorted last, has a rare word.
  await sql`
    insert into repositories (owner_id, owner_name, name, is_private, default_branch, storage_key)
    select ${id}, ${name}, case when n = ${many}::int then 'zz-rare-quokka' else 'repository-' || n end,
      n % 100 <> 0, 'main', md5(n::text)
    from generate_series(1, ${many}::int) n`.execute(database.db)
  await sql`vacuum analyze`.execute(database.db)
}, 120_000)
afterAll(() => database.close())

const look = async (terms: string[]) => {
  sent = []
  return await findRows(recording, repositories(visibleRepositories(anybody)), terms, 6)
}

/** Returns the results of the same search when every row is checked. */
async function lookEverywhere(terms: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from repositories where not is_private`.execute(
    database.db,
  )
  const rank = (name: string) =>
    Number(!terms.some(term => name === term)) + Number(!terms.some(term => name.startsWith(term)))
  return rows
    .map(({ name }) => name)
    .filter(name => terms.every(term => `crowded/${name}`.includes(term)))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, 6)
}

it.each([
  [['e']],
  [['zz']],
  [['q', 'z']],
  [['quokka']],
  [['repository']],
  [['repository', '990']],
  [['tory-19']],
  [['19900']],
  [['nothing-of-the-kind']],
])('search finds the same rows in a large table as a scan of every row: %j', async terms => {
  expect((await look(terms)).map(({ name }) => name)).toEqual(await lookEverywhere(terms))
})

it('search matches one- and two-letter words only at the start of names and among the first names', async () => {
  expect(await look(['99'])).toEqual([])
  expect((await look(['zz'])).map(({ name }) => name)).toEqual(['zz-rare-quokka'])
})

it.each([[['quokka']], [['nothing-of-the-kind']], [['repository-199', '00']], [['99']], [['q', 'zz']]])(
  'search reads few rows of a large table for rare and for short words: %j',
  async terms => {
    await look(terms)
    for (const query of sent) {
      const scans = (await explainQuery(database, query)).filter(
        step => step['Relation Name'] === 'repositories',
      )
      expect(rowsReadBy(scans)).toBeLessThan(4_500)
    }
  },
)
