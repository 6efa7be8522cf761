import { sql, type Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { announceRun, recordProgress } from './announce'
import { beginTasks } from './begin-tasks'
import { inRunQueue } from './change-run'
import { type JobRow, selectJobsById, type TaskRow } from './job-store'
import { newStep } from './report'
import { lockOwnersOf, lockRun, updateProgress } from './store'

/** Queued jobs of one run to assign to runners, with the run's repository and its owner. */
export interface JobOffer {
  run_id: number
  repository_id: number
  owner_id: number
  jobIds: readonly number[]
}

/** Runner that a job is assigned to. */
export interface Taker {
  id: number
  name: string
  /** Whether the runner can be asked to stop the task and still reports how it ended. */
  canCancel: boolean
  /** Names of the job's steps. */
  steps: readonly string[]
}

/** Task that was assigned to a runner, with its job. */
export interface Assigned {
  task: TaskRow
  job: JobRow
}

// Runners wait for the response, so anything locked for longer, such as a repository that is being deleted,
// is tried again later.
const maxLockMs = 300

/**
 * Assigns jobs of one run to runners: one transaction claims the jobs and creates their tasks. Within it,
 * `admit` locks the runners and decides which runner gets which job. A job is left out if it is not queued,
 * if no runner gets it, if its repository is archived, or if the repository's owner has changed since the run
 * was started.
 * @throws {Error} for which `timedOut` holds if the run stays locked for too long.
 */
export async function assignJobs(
  ctx: ServiceCtx,
  { run_id, repository_id, owner_id, jobIds }: JobOffer,
  admit: (trx: Transaction<Database>) => Promise<ReadonlyMap<number, Taker>>,
): Promise<Assigned[]> {
  const work = () =>
    withTransaction(ctx.db, async (trx): Promise<Assigned[]> => {
      await sql`select set_config('lock_timeout', ${sql.lit(`${maxLockMs}`)}, true)`.execute(trx)
      const repository = { id: repository_id, owner_id }
      const locked = await lockOwnersOf(trx, repository, [])
      if (!locked || locked.archived_at) return []
      const run = await lockRun(trx, run_id)
      if (run?.owner_id !== locked.owner_id) return []
      const jobs = await selectJobsById(trx, jobIds)
      const queued = [...jobs.values()].filter(job => job.run_id === run_id && job.status === 'queued')
      const takers = queued.length > 0 ? await admit(trx) : new Map<number, Taker>()
      const claimed = queued.flatMap(job => {
        const taker = takers.get(job.id)
        return taker ? [{ job, runner: columnsOf(taker) }] : []
      })
      if (claimed.length === 0) return []
      const now = ctx.clock.now()
      const tasks = await beginTasks({ trx, ctx, repository, now }, claimed)
      if (run.status !== 'in_progress') {
        const progress = { status: 'in_progress', conclusion: null, completed_at: null } as const
        const after = await updateProgress(trx, run, { ...progress, started_at: run.started_at ?? now }, now)
        await recordProgress(trx, ctx, repository, { before: run, after })
      }
      announceRun(trx, run)
      return tasks.flatMap(task => {
        const job = jobs.get(task.job_id)
        return job ? [{ task, job }] : []
      })
    })
  return await inRunQueue(ctx.db, run_id, work)
}

const columnsOf = ({ id, name, canCancel, steps }: Taker) => ({
  runner_id: id,
  runner_name: name,
  can_cancel: canCancel,
  steps: JSON.stringify(steps.map(newStep)),
})
