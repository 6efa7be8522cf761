import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { countScopeJobs, selectScopeJobs } from './job-store'
import { countRuns, findLastOutcome, type RunFilter, type RunsOf, selectRuns } from './store'

const many = 20_000
const few = 40
const page = { page: 1, limit: 20 }

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []
let repository: number
let scope: RunsOf
let account: number
let actor: number

beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  const owner = await makeUser(db)
  account = owner.id
  actor = (await makeUser(db)).id
  repository = (await makeRepository(db, owner.id)).id
  scope = { kind: 'repository', repositoryId: repository }
  // The filters match the oldest runs, which a scan from the newest run on would reach last.
  await sql`
    insert into workflow_runs (
      repository_id, owner_id, number, title, workflow_path, workflow_name, document, event, ref, sha, actor_id, status, conclusion)
    select ${repository}, ${owner.id}, n, 'title', case when n <= ${few} then 'nightly.yml' else 'ci.yml' end, 'ci', 'on: push', case when n <= ${few} then 'schedule' else 'push' end,
      case when n <= ${few} then 'refs/heads/old' else 'refs/heads/main' end, md5((n / 10)::text),
      case when n <= ${few} then ${actor}::bigint else ${owner.id}::bigint end,
      case when n <= ${few} then 'queued' else 'completed' end,
      case when n <= ${few} then null when n <= ${2 * few} then 'failure' else 'success' end
    from generate_series(1, ${many}::int) n`.execute(db)
  await sql`
    insert into workflow_jobs (run_id, repository_id, attempt, job_key, position, name, status, conclusion)
    select id, repository_id, 1, 'build', 1, 'build', status, conclusion from workflow_runs`.execute(db)
  await sql`analyze workflow_runs, workflow_jobs`.execute(db)
}, 120_000)
afterAll(() => database.close())

/** How many runs, or jobs, the queries of this read. */
async function runsReadBy(
  read: () => Promise<unknown>,
  table: 'workflow_runs' | 'workflow_jobs' = 'workflow_runs',
): Promise<number> {
  sent = []
  await read()
  const plans = await Promise.all(sent.map(query => explainQuery(database, query)))
  return rowsReadBy(plans.flat().filter(node => node['Relation Name'] === table))
}

it.each<[string, () => RunFilter]>([
  ['an event', () => ({ event: 'schedule' })],
  ['a branch', () => ({ refs: ['old', 'refs/heads/old', 'refs/tags/old'] })],
  ['a status', () => ({ statuses: ['queued', 'waiting'] })],
  ['being open', () => ({ statuses: ['queued', 'waiting', 'in_progress'] })],
  ['a conclusion', () => ({ conclusion: 'failure' })],
  ['an actor', () => ({ actorId: actor })],
  ['a commit', () => ({ sha: 'cfcd208495d565ef66e7dff9f98764da' })],
  ['a workflow', () => ({ workflows: ['nightly.yml', 'other.yml'] })],
  ['a branch and an event', () => ({ refs: ['refs/heads/old'], event: 'schedule' })],
])('listing and counting runs filtered by %s reads no other runs', async (_, filter) => {
  const read = () => selectRuns(recording, scope, filter(), page)
  expect((await read()).length).toBeGreaterThan(5)
  expect(await runsReadBy(read)).toBeLessThanOrEqual(few)
  expect(await runsReadBy(() => countRuns(recording, scope, filter()))).toBeLessThanOrEqual(few)
})

it.each<[string, RunFilter]>([
  ['without a filter', {}],
  ['of a branch with nearly all runs', { refs: ['refs/heads/main'] }],
  ['with a conclusion that nearly all have', { conclusion: 'success' }],
])('listing the newest runs %s reads no other runs', async (_, filter) => {
  expect(await runsReadBy(() => selectRuns(recording, scope, filter, page))).toBeLessThanOrEqual(few)
})

it.each<[string, () => RunsOf, Pick<RunFilter, 'statuses' | 'conclusion'>]>([
  ['of a repository with a status', () => scope, { statuses: ['queued', 'waiting'] }],
  ['of a repository with a conclusion', () => scope, { conclusion: 'failure' }],
  ['of an account with a status', () => ({ kind: 'owner', ownerId: account }), { statuses: ['queued'] }],
  ['of the site with a status', () => ({ kind: 'site' }), { statuses: ['queued'] }],
])('listing and counting jobs %s reads no other jobs', async (_, at, filter) => {
  const read = () => selectScopeJobs(recording, at(), filter, page)
  expect((await read()).length).toBeGreaterThan(5)
  expect(await runsReadBy(read, 'workflow_jobs')).toBeLessThanOrEqual(few)
  expect(
    await runsReadBy(() => countScopeJobs(recording, at(), filter), 'workflow_jobs'),
  ).toBeLessThanOrEqual(few)
})

it.each([
  ['on a branch with nearly all runs', 'ci.yml', 'refs/heads/main', ''],
  ['of a frequent event', 'ci.yml', 'refs/heads/main', 'push'],
  ['of a rare event', 'ci.yml', 'refs/heads/main', 'schedule'],
  ['on a branch without an outcome', 'nightly.yml', 'refs/heads/old', ''],
  ['on a branch without runs', 'ci.yml', 'refs/heads/none', ''],
])('finding the last outcome of a workflow %s reads no other runs', async (_, workflow, ref, event) => {
  const of = { repositoryId: repository, workflow, ref, event }
  expect(await runsReadBy(() => findLastOutcome(recording, of))).toBeLessThanOrEqual(few)
})
