import type { Insertable } from 'kysely'
import type { WorkflowJobsTable } from '@/db/tables/workflow-jobs'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { createTurns } from '@/server/kernel/concurrency-limit'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { explainGone } from '@/server/users'
import { aboutRun, announceRun, recordJobs, recordProgress } from './announce'
import { conditionsOf } from './condition'
import { insertJobs, type JobRow } from './job-store'
import type { ActionsFor } from './load'
import { requireUnarchived } from './policy'
import { progressOf, releaseWaiting } from './status'
import { insertRun, lockAccounts, type RunRow, takeRunNumber } from './store'

/** A job as its workflow describes it: one for each combination of its matrix. */
export type PlannedJob = Pick<JobRow, 'job_key' | 'matrix' | 'name' | 'needs' | 'labels' | 'condition'>

/** All that a new run consists of. */
export type RunPlan = Pick<
  RunRow,
  'title' | 'workflow_path' | 'workflow_name' | 'context' | 'event' | 'ref' | 'sha'
> & {
  /** The workflow, as YAML. */
  document: string
  jobs: readonly PlannedJob[]
}

// So many wait for their number without a database connection.
const turns = createTurns({ maxQueue: 1000 })

/**
 * Starts a run with its first attempt: jobs that need no other are queued. Numbers count the runs of a repository without
 * gaps, however many start at once.
 * @throws {DomainError} forbidden if the repository is archived; notFound if it is deleted concurrently;
 * tooManyRequests if too many runs start there at once.
 */
export async function startRun(
  ctx: UserCtx,
  found: ActionsFor<'write'>,
  { jobs, ...plan }: RunPlan,
): Promise<{ run: RunRow; jobs: JobRow[] }> {
  const { repository } = found
  requireUnarchived(repository)
  const { user, actor } = ctx.caller
  const states = stateOfNew(jobs, plan)
  const insert = () =>
    withTransaction(ctx.db, async trx => {
      const now = ctx.clock.now()
      await lockAccounts(trx, [repository.owner_id, user.id, actor?.id ?? user.id])
      const taken = await takeRunNumber(trx, repository.id)
      if (!taken) throw gone('repository')
      requireUnarchived(taken)
      const progress = progressOf(states, now)
      const run = await insertRun(trx, {
        ...plan,
        context: JSON.stringify(plan.context),
        ...progress,
        repository_id: repository.id,
        number: taken.last_run_number,
        actor_id: user.id,
        created_at: now,
        updated_at: now,
      })
      const rows = states.map(job => jobOf(run, job, now))
      await recordEvent(trx, originOf(ctx), {
        kind: 'run.created',
        ...aboutRun(repository, run),
      })
      const inserted = await insertJobs(trx, rows)
      await recordJobs(trx, ctx, repository, inserted)
      await recordProgress(trx, ctx, repository, {
        before: { started_at: null, conclusion: null },
        after: run,
      })
      announceRun(trx, run)
      return { run, jobs: inserted }
    })
  return await turns(repository.id, insert).catch(error => {
    throw explainGone(error)
  })
}

export type NewJob = PlannedJob & Pick<JobRow, 'position' | 'status' | 'conclusion'>

function stateOfNew(jobs: readonly PlannedJob[], plan: Pick<RunPlan, 'context'>): NewJob[] {
  const waiting = jobs.map(
    (job, position): NewJob => ({ ...job, position, status: 'waiting', conclusion: null }),
  )
  const released = new Map(releaseWaiting(waiting, conditionsOf(plan)).map(job => [job.position, job]))
  return waiting.map(job => released.get(job.position) ?? job)
}

/** The row of a job of the latest attempt of a run. */
export function jobOf(run: RunRow, job: NewJob, now: Date): Insertable<WorkflowJobsTable> {
  return {
    ...job,
    matrix: job.matrix && JSON.stringify(job.matrix),
    needs: JSON.stringify(job.needs),
    labels: JSON.stringify(job.labels),
    run_id: run.id,
    repository_id: run.repository_id,
    attempt: run.attempt,
    created_at: now,
    updated_at: now,
    completed_at: job.status === 'completed' ? now : null,
    queued_at: job.status === 'queued' ? now : null,
  }
}
