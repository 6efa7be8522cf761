import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { rerun } from '../attempts'
import { selectJobs } from '../job-store'
import type { RunFor } from '../load'
import type { Job, Run } from '../schema'
import { viewJobs, viewRun } from '../view'

/**
 * Reruns all jobs of a completed run, or those that failed or were canceled with the jobs that need them.
 * @throws {DomainError} as `rerun`.
 */
export async function rerunRun(ctx: ActingCtx, found: RunFor<'write'>, jobs: 'all' | 'failed'): Promise<Run> {
  return await viewRun(ctx, found, await rerun(ctx, found, jobs === 'failed' ? { jobs } : {}))
}

/**
 * Reruns a job of a completed run with the jobs that need it.
 * @throws {DomainError} as `rerun`.
 */
export async function rerunJob(ctx: ActingCtx, found: RunFor<'write'>, id: number): Promise<Job> {
  const before = (await selectJobs(ctx.db, found.run.id, found.run.attempt)).find(job => job.id === id)
  const run = await rerun(ctx, found, { jobs: [id] })
  const next = (await selectJobs(ctx.db, run.id, run.attempt)).find(
    ({ position }) => position === before?.position,
  )
  const [shown] = next ? await viewJobs(ctx, found, run, [next]) : []
  if (!shown) throw deleted('job')
  return shown
}
