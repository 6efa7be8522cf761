import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type JobFor, loadJob } from '../load'
import type { JobPath } from '../schema'
import { findLogOfJob, type Log } from './store'

/** A job with the log of its latest execution. */
export type JobLog = JobFor<'read'> & { log: Log }

/**
 * Finds the log of a job.
 * @throws {DomainError} as `loadJob`, and notFound if the job was not started yet.
 */
export async function getJobLog(ctx: ServiceCtx, path: JobPath): Promise<JobLog> {
  const found = await loadJob(ctx, path, 'read')
  const log = await findLogOfJob(ctx.db, found.job.id)
  if (!log) throw notFound('the job was not started yet')
  return { ...found, log }
}
