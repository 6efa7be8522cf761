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

/** Jobs of a run that runners could take, and the place they belong to. */
export interface JobOffer {
  run_id: number
  repository_id: number
  owner_id: number
  jobIds: readonly number[]
}

/** A runner that a job is given to. */
export interface Taker {
  id: number
  name: string
  /** Whether it can be asked to stop, and then still reports how the task ended. */
  canCancel: boolean
  /** The names of the job's steps. */
  steps: readonly string[]
}

/** A task that a runner was given, and its job. */
export interface Assigned {
  task: TaskRow
  job: JobRow
}

// Runners wait for the answer. What is locked for longer, such as a repository that is being deleted, is tried again later.
const maxLockMs = 300

/**
 * Gives jobs of one run to runners: the jobs are taken and the tasks made in one transaction. `admit` locks the runners and
 * decides in this transaction who takes which job. A job is left out if it is not queued anymore, if its repository is
 * archived or has another owner than the run was begun under, or if nobody takes it.
 * @throws {Error} as `timedOut` tells, if the run is locked for too long.
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
