import { randomBytes, randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { RunnersTable } from '@/db/tables/runners'
import { makeRepository } from '@/db/testing/factories'
import { assignJobs } from '@/server/actions/assign-jobs'
import { type JobRow, selectJobs, type TaskRow } from '@/server/actions/job-store'
import { loadActions, loadRun, type RunFor } from '@/server/actions/load'
import type { PlannedJob } from '@/server/actions/workflow/first-jobs'
import type { UserCtx } from '@/server/kernel/ctx'
import { contextOf, startPlanned } from './actions'
import { makePerson, type Person } from './people'
import type { Site } from './site'

/** A workflow run in a person's repository whose jobs wait for runners. */
export interface QueuedRun {
  ada: Person
  ctx: UserCtx
  repository: { id: number; name: string; owner_id: number }
  found(): Promise<RunFor<'write'>>
  /** Returns the statuses or conclusions of the run and its jobs, separated by spaces. */
  states(): Promise<string>
  job(key: string): Promise<JobRow>
}

/**
 * Starts a workflow run in a new repository of a new person or, if `alongside` is set, of the person of that
 * run.
 */
export async function startQueuedRun(
  site: Site,
  jobs: readonly PlannedJob[],
  alongside?: Pick<QueuedRun, 'ada'>,
): Promise<QueuedRun> {
  const ada = alongside?.ada ?? (await makePerson(site))
  const repository = await makeRepository(site.db, ada.account.id)
  const ctx = contextOf(site, ada)
  const names = { owner: ada.name, repo: repository.name }
  const { run } = await startPlanned(ctx, await loadActions(ctx, names, 'write'), {
    title: 'Test',
    workflow_path: 'test.yml',
    workflow_name: 'Test',
    event: 'push',
    ref: 'refs/heads/main',
    sha: '',
    document: '',
    context: {},
    jobs,
  })
  const found = () => loadRun(ctx, { ...names, run: run.id }, 'write')
  const rows = async () => await selectJobs(site.db, run.id, (await found()).run.attempt)
  return {
    ada,
    ctx,
    repository: { ...repository, owner_id: ada.account.id },
    found,
    async states() {
      const shown = (row: { status: string; conclusion: string | null }) => row.conclusion ?? row.status
      return [(await found()).run, ...(await rows())].map(shown).join(' ')
    },
    async job(key) {
      const job = (await rows()).find(each => each.job_key === key)
      if (!job) throw new Error(`no job ${key}`)
      return job
    },
  }
}

/** Inserts a site-wide runner that is online, and returns its ID. */
export async function makeRunnerRow(
  site: Site,
  change: Partial<Insertable<RunnersTable>> = {},
): Promise<number> {
  const { id } = await site.db
    .insertInto('runners')
    .values({
      uuid: randomUUID(),
      name: 'robin',
      secret_hash: randomBytes(32),
      last_online_at: new Date(),
      ...change,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Assigns a running task to a new runner, and returns the ID of the runner. */
export async function giveTask(site: Site, taskId: number): Promise<number> {
  const runnerId = await makeRunnerRow(site)
  await site.db.updateTable('workflow_tasks').set({ runner_id: runnerId }).where('id', '=', taskId).execute()
  return runnerId
}

/** Assigns a queued job to a runner. By default, the runner supports cancellation. */
export async function giveJob(
  run: QueuedRun,
  key: string,
  runnerId: number,
  { canCancel = true, steps = [] as string[] } = {},
): Promise<TaskRow> {
  const { id, run_id, repository_id } = await run.job(key)
  const offer = { run_id, repository_id, owner_id: run.repository.owner_id, jobIds: [id] }
  const taker = { id: runnerId, name: 'robin', canCancel, steps }
  const [assigned] = await assignJobs(run.ctx, offer, async () => new Map([[id, taker]]))
  if (!assigned) throw new Error(`job ${key} was not assigned, because it is not queued`)
  return assigned.task
}
