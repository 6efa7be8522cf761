// @module-tag series
import { createHash } from 'node:crypto'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { addToOrg, addToTeam, makeOrg, makeTeam, makeUser } from '@/db/testing/factories'
import { explainQuery, isTotal, type PlanNode, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { findAccountById } from '@/server/kernel/account'
import { anonymous, type Caller } from '@/server/kernel/caller'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import type { Page } from '@/server/kernel/pagination'
import { series } from '@/testing/series'
import { browseRepositories } from './lists/browse'
import { listMyRepositories, listOrgRepositories, listUserRepositories } from './lists/list'
import { type BrowsedRepository, BrowseReposInput, SearchReposInput } from './lists/schema'
import { searchRepositories } from './lists/search'
import type { Repository } from './schema'

const many = series(4_000, 20_000)
const pageSize = 30

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []
let org: { id: number; name: string }
let person: { id: number; name: string }
const ids: Record<string, number> = {}

beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  for (const title of [
    'owner',
    'member',
    'member with access to one private repository',
    'member with access to all repositories',
    'outsider',
    'stranger',
  ]) {
    ids[title] = (await makeUser(db)).id
  }
  person = await makeUser(db)
  org = await makeOrg(db, ids.owner ?? 0)
  const other = await makeOrg(db, ids.stranger ?? 0)
  for (const owner of [person, org, other]) await makeMany(owner.id)
  await addToOrg(db, org.id, ids.member ?? 0)
  const wide = await makeTeam(db, org.id, { includes_all_repositories: true })
  const narrow = await makeTeam(db, org.id)
  await addToTeam(db, wide, ids['member with access to all repositories'] ?? 0)
  await addToTeam(db, narrow, ids['member with access to one private repository'] ?? 0)
  await attachAll('includes_all_repositories')
  await sql`
    insert into team_repositories (team_id, org_id, repository_id)
    select ${narrow.id}, ${org.id}, id from repositories where owner_id = ${org.id} and is_private limit 1`.execute(
    db,
  )
  await sql`analyze`.execute(db)
}, 120_000)
afterAll(() => database.close())

/** Inserts many repositories, every tenth of them private, with names that are not in ID order. */
async function makeMany(ownerId: number): Promise<void> {
  await sql`
    insert into repositories (owner_id, name, default_branch, storage_key, is_private)
    select ${ownerId}, 'r-' || md5(n::text), 'main', md5(${ownerId}::text || n), n % 10 = 0
    from generate_series(1, ${many}::int) n`.execute(database.db)
}

async function attachAll(flag: string): Promise<void> {
  await sql`
    insert into team_repositories (team_id, org_id, repository_id)
    select teams.id, teams.org_id, repositories.id
    from teams join repositories on repositories.owner_id = teams.org_id
    where teams.${sql.ref(flag)}`.execute(database.db)
}

// Only the query for the page itself selects this column. Its total is not part of what the page costs.
const pageAlone = 'storage_key'

/** Reads a page, and returns it with the query plans and the number of repository rows read. */
async function costOf<Row>(
  list: () => Promise<Page<Row>>,
  queriesWith = 'repositories',
): Promise<{
  page: Page<Row>
  nodes: PlanNode[]
  rowsRead: number
}> {
  sent = []
  const page = await list()
  const queries = sent.filter(({ sql: text }) => text.includes(queriesWith))
  const omit = queriesWith === pageAlone ? isTotal : undefined
  const nodes = (await Promise.all(queries.map(query => explainQuery(database, query, omit)))).flat()
  const rowsRead = rowsReadBy(nodes.filter(node => node['Relation Name']?.endsWith('repositories')))
  return { page, nodes, rowsRead }
}

async function contextOf(title: string): Promise<UserCtx> {
  const db = recording
  const user = title === 'anonymous caller' ? undefined : await findAccountById(db, ids[title] ?? 0)
  const caller: Caller = user ? { kind: 'user', user, credential: { kind: 'password' } } : anonymous
  return { db, caller, config: { baseUrl: 'http://forge.test' } } as UserCtx
}

type List = (ctx: ServiceCtx & UserCtx, request: { page: number; limit: number }) => Promise<Page<Repository>>
const ofOrg: List = (ctx, request) => listOrgRepositories(ctx, { org: org.name, ...request })
const ofPerson: List = (ctx, request) => listUserRepositories(ctx, { username: person.name, ...request })
const mine: List = (ctx, request) => listMyRepositories(ctx, request)

const publicOnes = many - many / 10

const search =
  (order: Partial<SearchReposInput>): List =>
  (ctx, request) =>
    searchRepositories(ctx, { ...SearchReposInput.parse(order), ...request })

it.each<[string, string, List, number]>([
  ['GET /orgs/{org}/repos', 'owner', ofOrg, many],
  ['GET /orgs/{org}/repos', 'anonymous caller', ofOrg, publicOnes],
  ['GET /orgs/{org}/repos', 'outsider', ofOrg, publicOnes],
  ['GET /orgs/{org}/repos', 'member', ofOrg, publicOnes],
  ['GET /orgs/{org}/repos', 'member with access to one private repository', ofOrg, publicOnes + 1],
  ['GET /orgs/{org}/repos', 'member with access to all repositories', ofOrg, many],
  ['GET /users/{username}/repos', 'anonymous caller', ofPerson, publicOnes],
  ['GET /users/{username}/repos', 'outsider', ofPerson, publicOnes],
  ['GET /user/repos', 'owner', mine, many],
  ['GET /user/repos', 'member with access to all repositories', mine, many],
  ['GET /user/repos', 'member with access to one private repository', mine, 1],
])('%s reads fewer rows than ten times the page size for the %s', async (_, title, list, total) => {
  const ctx = await contextOf(title)
  const { page, nodes, rowsRead } = await costOf(() => list(ctx, { page: 1, limit: pageSize }))
  expect([page.items.length, page.total]).toEqual([Math.min(pageSize, total), total])
  const scanned = nodes.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
  expect(scanned).not.toContain('repositories')
  expect(scanned).not.toContain('team_repositories')
  expect(rowsRead).toBeLessThan(10 * pageSize)
})

it.each<[string, List]>([
  ['owner', ofOrg],
  ['anonymous caller', ofOrg],
  ['anonymous caller', ofPerson],
])('a repository list is read in index order without sorting for the %s', async (title, list) => {
  const ctx = await contextOf(title)
  const { nodes } = await costOf(() => list(ctx, { page: 2, limit: pageSize }), pageAlone)
  expect(nodes.map(node => node['Node Type'])).toContain('Index Scan')
  expect(nodes.map(node => node['Node Type']).filter(type => type.includes('Sort'))).toEqual([])
})

const browse =
  (input: object): ((ctx: ServiceCtx) => Promise<Page<BrowsedRepository>>) =>
  ctx =>
    browseRepositories(ctx, BrowseReposInput.parse(input))

it.each<[string, string, () => object, number]>([
  ['of an organization', 'owner', () => ({ scope: { owner: org.name } }), many],
  [
    'of an organization',
    'member with access to one private repository',
    () => ({ scope: { owner: org.name } }),
    publicOnes + 1,
  ],
  ['of a person', 'anonymous caller', () => ({ scope: { owner: person.name } }), publicOnes],
  ['of the viewer', 'member with access to all repositories', () => ({ scope: 'mine' }), many],
])(
  'browsing the repositories %s reads fewer rows than ten times the page size for the %s',
  async (_, title, where, total) => {
    const ctx = await contextOf(title)
    for (const sort of ['updated', 'name', 'newest']) {
      const { page, rowsRead } = await costOf(() => browse({ ...where(), sort })(ctx))
      expect([page.items.length, page.total]).toEqual([pageSize, total])
      expect(rowsRead, sort).toBeLessThan(10 * pageSize)
    }
  },
)

it.each(['anonymous caller', 'outsider', 'member with access to all repositories', 'owner'])(
  'browsing all repositories reads a page in index order without sorting for the %s',
  async title => {
    for (const sort of ['updated', 'name', 'newest']) {
      const list = browse({ scope: 'all', sort })
      const { page, nodes, rowsRead } = await costOf(async () => list(await contextOf(title)), pageAlone)
      expect(page.items).toHaveLength(pageSize)
      expect(nodes.filter(node => node['Node Type'].includes('Sort'))).toEqual([])
      expect(rowsRead).toBeLessThan(10 * pageSize)
    }
  },
)

it.each([
  'anonymous caller',
  'outsider',
  'member with access to one private repository',
  'member with access to all repositories',
  'owner',
])('a search without search words reads a page in index order without sorting for the %s', async title => {
  const ctx = await contextOf(title)
  for (const order of [{}, { sort: 'updated', order: 'desc' }, { sort: 'id' }]) {
    const { page, nodes, rowsRead } = await costOf(
      () => search(order)(ctx, { page: 1, limit: pageSize }),
      pageAlone,
    )
    expect(page.items).toHaveLength(pageSize)
    expect(nodes.filter(node => node['Node Type'].includes('Sort'))).toEqual([])
    expect(rowsRead).toBeLessThan(10 * pageSize)
  }
})

it.each([
  ['a part of one name', () => md5Of(7).slice(4, 16), false],
  ['a part of one name or description', () => md5Of(7).slice(4, 16), true],
  ['an owner and a name', () => `${org.name}/r-${md5Of(7)}`, true],
  ['two words, one of them rare', () => `${md5Of(7).slice(4, 16)} r-`, true],
])('a search for %s reads fewer rows than ten times the page size', async (_, text, includeDesc) => {
  for (const title of ['anonymous caller', 'outsider', 'owner']) {
    const order = { q: text(), includeDesc }
    const { page, nodes, rowsRead } = await costOf(async () =>
      search(order)(await contextOf(title), { page: 1, limit: pageSize }),
    )
    expect(page.items.length).toBeGreaterThan(0)
    expect(page.items.length).toBeLessThanOrEqual(3)
    const scanned = nodes.filter(node => node['Node Type'] === 'Seq Scan').map(node => node['Relation Name'])
    expect(scanned).not.toContain('repositories')
    expect(rowsRead).toBeLessThan(10 * pageSize)
  }
})

const md5Of = (n: number): string => createHash('md5').update(String(n)).digest('hex')

it.each<[string, List | ((ctx: ServiceCtx) => Promise<Page<BrowsedRepository>>)]>([
  ['a search', search({ q: 'rare-topic', topic: true })],
  ['browsing', browse({ scope: 'all', topic: 'rare-topic' })],
])('%s for a topic reads only the repositories that have it', async (_, list) => {
  await sql`update repositories set topics = '{other,rare-topic}' where id in (
    select id from repositories where owner_id = ${org.id} and not is_private order by id limit 5)`.execute(
    database.db,
  )
  const ctx = await contextOf('outsider')
  const { page, rowsRead } = await costOf<unknown>(() => list(ctx, { page: 1, limit: pageSize }))
  expect([page.items.length, page.total]).toEqual([5, 5])
  expect(rowsRead).toBeLessThan(3 * pageSize)
})
