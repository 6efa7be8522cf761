import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { endTextOf } from '../end-text'
import { type JobFor, loadJob } from '../load'
import type { JobPath } from '../schema'
import { findLogOfJob, type Log } from './store'

/** Job with the log of its latest task. */
export type JobLog = JobFor<'read'> & { log: Log }

/** Job that ended without a task, with the reason as its log. */
export type UnstartedJob = JobFor<'read'> & { text: string }

/**
 * Loads a job with its log.
 * @throws {DomainError} as `loadJob`, and notFound if the job has not started.
 */
export async function getJobLog(ctx: ServiceCtx, path: JobPath): Promise<JobLog> {
  const found = await getJobLogOrReason(ctx, path)
  if (!('log' in found)) throw notFound('the job has not started')
  return found
}

/**
 * Loads a job with its log or, if it ended without ever starting, the reason.
 * @throws {DomainError} as `getJobLog`.
 */
export async function getJobLogOrReason(ctx: ServiceCtx, path: JobPath): Promise<JobLog | UnstartedJob> {
  const found = await loadJob(ctx, path, 'read')
  const log = await findLogOfJob(ctx.db, found.job.id)
  if (log) return { ...found, log }
  const text = endTextOf(found.job)
  if (text === undefined) throw notFound('the job has not started')
  return { ...found, text }
}
