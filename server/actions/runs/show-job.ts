import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { findJob, findTaskOfJob, selectJobs } from '../job-store'
import { loadRun } from '../load'
import { tokenScopesOf } from '../permissions/of-job'
import { canWriteActions } from '../policy'
import { actorsOf } from './browse'
import type { JobPageAnswer, ShowJobInput } from './schema'
import { selectAttempts } from './store'
import { viewShownAttempt, viewShownJob, viewShownJobs, viewShownRun, viewShownTask } from './view'

/**
 * Returns a job of a run with its steps, and the other jobs of the latest attempt that includes it.
 * @throws {DomainError} as `showRunPage`, and notFound if the run has no such job.
 */
export async function showJobPage(ctx: ServiceCtx, input: ShowJobInput): Promise<JobPageAnswer> {
  const found = await loadRun(ctx, input, 'read')
  const { run } = found
  const job = await findJob(ctx.db, run.repository_id, input.job)
  if (job?.run_id !== run.id) throw deleted('job')
  const [task, attempts, latest] = await Promise.all([
    findTaskOfJob(ctx.db, job.id),
    selectAttempts(ctx.db, run.id),
    selectJobs(ctx.db, run.id, run.attempt),
  ])
  const current = latest.find(({ position }) => position === job.position)
  const isCurrent = current?.id === job.id
  const number = isCurrent ? run.attempt : job.attempt
  const attempt = attempts.find(one => one.number === number)
  if (!attempt) throw deleted('run')
  const jobs = isCurrent ? latest : await selectJobs(ctx.db, run.id, number)
  const actors = await actorsOf(ctx, [run, attempt])
  return {
    run: viewShownRun(run, actors),
    attempt: viewShownAttempt(attempt, actors),
    jobs: viewShownJobs(jobs),
    job: viewShownJob(job),
    task: task ? viewShownTask(task) : null,
    token: await tokenScopesOf(ctx, found, job),
    newer_job: isCurrent ? null : (current?.id ?? null),
    may_write: canWriteActions(found),
  }
}
