import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type JobFor, loadJob } from '../load'
import type { JobPath } from '../schema'
import { findLogOfJob, type Log } from './store'

/** Job with the log of its latest task. */
export type JobLog = JobFor<'read'> & { log: Log }

/**
 * Loads a job with its log.
 * @throws {DomainError} as `loadJob`, and notFound if the job has not started.
 */
export async function getJobLog(ctx: ServiceCtx, path: JobPath): Promise<JobLog> {
  const found = await loadJob(ctx, path, 'read')
  const log = await findLogOfJob(ctx.db, found.job.id)
  if (!log) throw notFound('the job has not started')
  return { ...found, log }
}
