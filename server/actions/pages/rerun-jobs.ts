import type { UserCtx } from '@/server/kernel/ctx'
import { conflict } from '@/server/kernel/errors'
import { rerun } from '../attempts'
import { selectJobs } from '../job-store'
import type { RunFor } from '../load'
import type { RerunInput } from './schema'

/**
 * Runs jobs of a completed run again, as `rerun` does.
 * @throws {DomainError} as `rerun`, and conflict if there is no job that did not succeed.
 */
export async function rerunJobs(
  ctx: UserCtx,
  found: RunFor<'write'>,
  { jobs }: Pick<RerunInput, 'jobs'>,
): Promise<void> {
  if (jobs !== 'failed') {
    await rerun(ctx, found, jobs === 'all' ? {} : { jobs: [jobs] })
    return
  }
  const { run } = found
  const failed = (await selectJobs(ctx.db, run.id, run.attempt)).filter(
    ({ conclusion }) => conclusion === 'failure' || conclusion === 'cancelled',
  )
  if (failed.length === 0) throw conflict('No job of the run failed or was cancelled.')
  await rerun(ctx, found, { jobs: failed.map(({ id }) => id) })
}
