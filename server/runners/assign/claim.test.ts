import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Db, openDatabase } from '@/db/client'
import { reportTask } from '@/server/actions'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { unavailable } from '@/server/kernel/errors'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { jobContext } from '@/server/services'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { makeRunner } from '@/testing/runners'
import { openSite, type Site } from '@/testing/site'
import type { RegisteredRunner } from '../register'
import { fetchTask } from './fetch-task'

// Locks must be held by another connection, and the embedded database has only one.
const server = process.env.GUILDHALL_TEST_POSTGRES_URL
let site: Site

beforeAll(async () => {
  if (server) vi.stubEnv('GUILDHALL_TEST_DATABASE_URL', server)
  site = await openSite({ logLevel: 'silent' })
  vi.unstubAllEnvs()
})
afterAll(() => site.close())

const runnerCtx = ({ id, owner_id }: RegisteredRunner['runner']): RunnerCtx => ({
  ...jobContext(site.services, 'test'),
  caller: { kind: 'runner', runnerId: id, ownerId: owner_id, repositoryId: null },
})

async function setUp() {
  const run = await startQueuedRun(site, [planned('bad'), planned('good')])
  const fetcher = async () => {
    const { runner } = await makeRunner(site, run.ada)
    return () => fetchTask(runnerCtx(runner), { holdMs: 0 })
  }
  return { run, fetcher }
}

it('a job that cannot be assigned does not keep jobs queued after it from being assigned', async () => {
  const { run, fetcher } = await setUp()
  const { id } = await run.job('bad')
  await sql`alter table workflow_tasks add constraint no_such_task check (job_id <> ${sql.lit(id)})`.execute(
    site.db,
  )
  const [one, two] = [await fetcher(), await fetcher()]
  const assigned = await Promise.all([one(), two()])
  expect(assigned.filter(Boolean)).toHaveLength(1)
  expect(await run.states()).toBe('in_progress queued in_progress')
})

it('a job whose workflow temporarily cannot be read is assigned as soon as it can be', async () => {
  const { fetcher } = await setUp()
  const fetch = await fetcher()
  forgetSingleton('workflow-reader')
  singleton(
    'workflow-reader',
    () => () => Promise.reject(unavailable('workflows cannot be read', { retryAfterSeconds: 1 })),
  )
  expect(await fetch()).toBeUndefined()
  forgetSingleton('workflow-reader')
  await expect.poll(fetch, { timeout: 5_000 }).toBeDefined()
})

it('runners that get jobs of one run together all get them, whichever request ends first', async () => {
  const run = await startQueuedRun(
    site,
    Array.from({ length: 8 }, (_, index) => planned(`job${index}`)),
  )
  const fetches = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { runner } = await makeRunner(site, run.ada)
      const request = new AbortController()
      const ctx = { ...runnerCtx(runner), disconnected: () => request.signal }
      return () => fetchTask(ctx, { holdMs: 0 }).finally(() => request.abort())
    }),
  )
  const tasks = await Promise.all(fetches.map(fetch => fetch()))
  expect(tasks.filter(Boolean)).toHaveLength(8)
})

it.skipIf(!server)(
  'a run that stays locked does not keep jobs of other runs from being assigned',
  async () => {
    const { run, fetcher } = await setUp()
    const fetch = await fetcher()
    const other = await startQueuedRun(site, [planned('other')], run)
    const { run_id } = await run.job('bad')
    const locking = await site.db.startTransaction().execute()
    await sql`select from workflow_runs where id = ${run_id} for update`.execute(locking)
    expect(await fetch()).toMatchObject({ context: { run_id: String((await other.found()).run.id) } })
    await locking.rollback().execute()
    expect(await run.states()).toBe('queued queued queued')
  },
)

it.skipIf(!server)('two processes on one database assign every job exactly once', async () => {
  const run = await startQueuedRun(
    site,
    Array.from({ length: 40 }, (_, index) => planned(`job${index}`)),
  )
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(site.db)
  const url = new URL(server ?? '')
  url.pathname = `/${rows[0]?.name}`
  const other = await openDatabase({ databaseUrl: url.href, dataDir: '' })
  const assigned: number[] = []
  const drain = async (db: Db) => {
    const { runner } = await makeRunner(site, run.ada)
    const ctx: RunnerCtx = { ...runnerCtx(runner), db }
    for (;;) {
      const task = await fetchTask(ctx, { holdMs: 0 })
      if (!task) return
      assigned.push(task.id)
      await reportTask(ctx, runner.id, { taskId: task.id, conclusion: 'success', steps: [], outputs: {} })
    }
  }
  await Promise.all([site.db, other.db].flatMap(db => [drain(db), drain(db), drain(db)]))
  await other.close()
  expect(new Set(assigned).size).toBe(40)
  expect(assigned).toHaveLength(40)
  expect(new Set((await run.states()).split(' '))).toEqual(new Set(['success']))
})
