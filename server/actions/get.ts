import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadJob, loadRun } from './load'
import type { AttemptPath, Job, JobPath, Run, RunPath } from './schema'
import { findAttempt } from './store'
import { viewAttempts, viewJobs, viewRun } from './view'

/**
 * Returns a run as of its latest attempt.
 * @throws {DomainError} as `loadRun`.
 */
export async function getRun(ctx: ServiceCtx, path: RunPath): Promise<Run> {
  const found = await loadRun(ctx, path, 'read')
  return await viewRun(ctx, found, found.run)
}

/**
 * Returns a run as it was in one of its attempts.
 * @throws {DomainError} as `loadRun`, and notFound for the attempt.
 */
export async function getAttempt(ctx: ServiceCtx, path: AttemptPath): Promise<Run> {
  const found = await loadRun(ctx, path, 'read')
  const attempt = await findAttempt(ctx.db, found.run.id, path.attempt)
  if (!attempt) throw deleted('run')
  const [shown] = await viewAttempts(ctx, found, [{ run: found.run, attempt }])
  return shown as Run
}

/**
 * Returns a job.
 * @throws {DomainError} as `loadJob`.
 */
export async function getJob(ctx: ServiceCtx, path: JobPath): Promise<Job> {
  const found = await loadJob(ctx, path, 'read')
  const [shown] = await viewJobs(ctx, found, found.run, [found.job])
  return shown as Job
}
