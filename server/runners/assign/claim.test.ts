import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { jobContext } from '@/server/services'
import { planned } from '@/testing/actions'
import { startQueuedRun } from '@/testing/assigned'
import { makeRunner } from '@/testing/runners'
import { openSite, type Site } from '@/testing/site'
import { fetchTask } from './fetch-task'

// Locks are held by other connections, of which the embedded database has none.
const server = await startPostgres()
let site: Site

beforeAll(async () => {
  if (server) vi.stubEnv('GUILDHALL_TEST_DATABASE_URL', server.url)
  site = await openSite({ logLevel: 'silent' })
})
afterAll(async () => {
  await site.close()
  await server?.stop()
})

async function setUp() {
  const run = await startQueuedRun(site, [planned('bad'), planned('good')])
  const fetcher = async () => {
    const { runner } = await makeRunner(site, run.ada)
    const caller = {
      kind: 'runner',
      runnerId: runner.id,
      ownerId: runner.owner_id,
      repositoryId: null,
    } as const
    const ctx: RunnerCtx = { ...jobContext(site.services, 'test'), caller }
    return () => fetchTask(ctx, { holdMs: 0 })
  }
  return { run, fetcher }
}

it('a job that cannot be assigned keeps none that was queued after it from being', async () => {
  const { run, fetcher } = await setUp()
  const { id } = await run.job('bad')
  await sql`alter table workflow_tasks add constraint no_such_task check (job_id <> ${sql.lit(id)})`.execute(
    site.db,
  )
  const [one, two] = [await fetcher(), await fetcher()]
  const given = await Promise.all([one(), two()])
  expect(given.filter(Boolean)).toHaveLength(1)
  expect(await run.states()).toBe('in_progress queued in_progress')
})

it.skipIf(!server)(
  'a run that is locked for long keeps no job of another run from being assigned',
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
