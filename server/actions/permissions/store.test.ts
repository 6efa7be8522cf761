import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import type { SettingsScope } from '@/server/scopes'
import { readPermissions } from './store'

const many = 5_000

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []
let ownerId: number
let repositoryId: number

beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  ownerId = (await makeUser(db)).id
  await sql`
    insert into repositories (owner_id, name, default_branch, storage_key)
    select ${ownerId}, 'r' || n, 'main', 'permissions-' || n from generate_series(1, ${many}::int) n`.execute(
    db,
  )
  await sql`
    insert into workflow_permissions (repository_id) select id from repositories where owner_id = ${ownerId}`.execute(
    db,
  )
  await sql`insert into workflow_permissions (owner_id) values (${ownerId}), (null)`.execute(db)
  await sql`analyze workflow_permissions`.execute(db)
  const { id } = await db.selectFrom('repositories').select('id').limit(1).executeTakeFirstOrThrow()
  repositoryId = id
}, 120_000)
afterAll(() => database.close())

it.each<[string, () => SettingsScope]>([
  ['a repository', () => ({ kind: 'repository', ownerId, repositoryId })],
  ['an account', () => ({ kind: 'owner', ownerId })],
  ['the site', () => ({ kind: 'site' })],
])('reading the settings for job tokens of %s reads no others', async (_, scope) => {
  sent = []
  await readPermissions(recording, scope())
  const [plan = []] = await Promise.all(sent.map(query => explainQuery(database, query)))
  expect(rowsReadBy(plan.filter(node => node['Relation Name'] === 'workflow_permissions'))).toBe(1)
})
