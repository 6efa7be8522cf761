import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { openEmbeddedCopy } from '@/db/testing/embedded-template'
import { makeOrg, makeUser } from '@/db/testing/factories'
import { explainQuery, type PlanNode } from '@/db/testing/query-plan'
import { findAccountById } from '@/server/kernel/account'
import { anonymous, type Caller } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { getOrgFeed } from './feeds'

const people = 2_000
const repositories = 50
const events = 20_000
const limit = 30

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []
let org: { id: number; name: string }
let owner: number

beforeAll(async () => {
  database = await openEmbeddedCopy()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  owner = (await makeUser(db)).id
  await sql`
    insert into users (name, email, hide_activity)
    select 'p-' || n, 'p-' || n || '@example.test', n % 10 = 0 from generate_series(1, ${people}::int) n`.execute(
    db,
  )
  org = await makeOrg(db, owner)
  for (const { id } of [org, await makeOrg(db, owner), await makeOrg(db, owner)]) await makeBusy(id)
  await sql`vacuum analyze`.execute(db)
}, 120_000)
afterAll(() => database.close())

async function makeBusy(orgId: number): Promise<void> {
  const { db } = database
  await sql`
    insert into repositories (owner_id, name, default_branch, storage_key)
    select ${orgId}, 'r-' || n, 'main', md5(${orgId}::text || n) from generate_series(1, ${repositories}::int) n`.execute(
    db,
  )
  await sql`
    insert into events (kind, in_feed, actor_id, owner_id, repository_id, data)
    select 'git.pushed', true, people.ids[1 + n % ${people}::int], ${orgId}, repositories.ids[1 + n % ${repositories}::int], '{"before":"a"}'
    from generate_series(1, ${events}::int) n,
      (select array_agg(id order by id) as ids from users where name like 'p-%') people,
      (select array_agg(id order by id) as ids from repositories where owner_id = ${orgId}) repositories`.execute(
    db,
  )
}

it.each(['anonymous', 'owner'])(
  'an activity feed is read in index order and counted with an index-only scan, as %s',
  async title => {
    const user = title === 'owner' ? await findAccountById(database.db, owner) : undefined
    const caller: Caller = user ? { kind: 'user', user, credential: { kind: 'password' } } : anonymous
    const ctx = { db: recording, caller, config: { baseUrl: 'http://forge.test' } } as UserCtx
    sent = []
    const page = await getOrgFeed(ctx, { org: org.name, page: 1, limit })
    expect([page.items.length, page.total]).toEqual([limit, events - events / 10])
    const [count, select] = sent.filter(query => query.sql.includes('in_feed'))
    if (!count || !select) throw new Error('the feed was not read')
    const reads = (nodes: PlanNode[]) => nodes.filter(node => node['Relation Name'] === 'events')
    expect(reads(await explainQuery(database, count)).map(node => node['Node Type'])).toEqual([
      'Index Only Scan',
    ])
    const nodes = await explainQuery(database, select)
    expect(reads(nodes).map(node => node['Node Type'])).toEqual(['Index Scan'])
    expect(reads(nodes)[0]?.['Actual Rows']).toBeLessThan(2 * limit)
  },
)
