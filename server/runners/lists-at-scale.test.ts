import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, OpenDatabase } from '@/db/client'
import { makeRepository, makeUser } from '@/db/testing/factories'
import { explainQuery, rowsReadBy } from '@/db/testing/query-plan'
import { openLargeTestDatabase } from '@/db/testing/test-database'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { browseDemand } from './manage/demand'
import { countRunners, selectRunners } from './store'
import { selectCandidates } from './waiting/candidates'
import { selectDemand, selectWaitingJobs } from './waiting/store'

const many = 20_000
const few = 40
const now = new Date()

let database: OpenDatabase
let recording: Db
let sent: CompiledQuery[] = []
let owner: number
let repository: number

beforeAll(async () => {
  database = await openLargeTestDatabase()
  recording = new Kysely({
    dialect: new PostgresDialect({ pool: database.pool }),
    log: event => void sent.push(event.query),
  })
  const { db } = database
  owner = (await makeUser(db)).id
  repository = (await makeRepository(db, owner)).id
  const other = (await makeUser(db)).id
  const queue = async (ownerId: number, id: number, count: number) => {
    await sql`
      with run as (
        insert into workflow_runs (repository_id, owner_id, number, title, workflow_path, workflow_name, document, event, ref, sha, status)
        values (${id}, ${ownerId}, 1, '', 'ci.yml', '', '', 'push', '', '', 'queued') returning id)
      insert into workflow_jobs (run_id, repository_id, attempt, job_key, position, name, needs, labels, status, queued_at)
      select run.id, ${id}, 1, 'j' || n, n, 'j', '[]', jsonb_build_array('linux'), 'queued', now()
      from run, generate_series(1, ${count}::int) n`.execute(db)
  }
  for (let count = 0; count < 100; count++)
    await queue(other, (await makeRepository(db, other)).id, many / 100)
  await queue(owner, repository, few)
  await sql`
    insert into runners (uuid, owner_id, name, secret_hash, last_online_at)
    select gen_random_uuid(), case when n <= ${few} then ${owner}::bigint else ${other}::bigint end, 'r',
      sha256(n::text::bytea), now() - n * interval '1 second'
    from generate_series(1, ${many}::int) n`.execute(db)
  await sql`
    insert into workflow_tasks (job_id, run_id, repository_id, status, started_at, ended_at, expires_at, runner_id)
    select jobs.id, run_id, repository_id, 'ended', now(), now(), now(), runners.id
    from (select id, run_id, repository_id from workflow_jobs limit ${many}) jobs,
      (select min(id) as id from runners where owner_id = ${owner}) runners`.execute(db)
  await sql`analyze`.execute(db)
}, 120_000)
afterAll(() => database.close())

/** How many runners, jobs and tasks the queries of this read. */
async function rowsRead(read: () => Promise<unknown>): Promise<number> {
  sent = []
  await read()
  const plans = await Promise.all(sent.map(query => explainQuery(database, query)))
  const tables = ['runners', 'workflow_jobs', 'workflow_tasks']
  return rowsReadBy(plans.flat().filter(node => tables.includes(node['Relation Name'] ?? '')))
}

const ofOwner = () => ({ kind: 'owner', ownerId: owner }) as const

it.each<[string, () => Promise<unknown>, number]>([
  [
    'the runners of an account',
    () => selectRunners(recording, ofOwner(), { now }, { page: 1, limit: 30 }),
    few,
  ],
  ['their number', () => countRunners(recording, ofOwner(), { now, disabled: true }), few],
  ['the jobs that wait for them', () => selectWaitingJobs(recording, ofOwner(), undefined, 1000), few],
  ['and their labels', () => selectDemand(recording, ofOwner(), ['linux']), few],
  [
    'whether these have a runner',
    () => browseDemand({ db: recording, clock: { now: () => now } } as UserCtx, allow(ofOwner())),
    2 * few,
  ],
  [
    'the runners that a job waits for',
    () => selectCandidates(recording, { id: repository, owner_id: owner }, ['linux']),
    2 * few,
  ],
])('reading %s reads none of the 20,000 rows of others', async (_, read, most) => {
  expect(await rowsRead(read)).toBeLessThanOrEqual(most)
})
