import type { JobCtx } from '@/server/kernel/ctx'
import { type CalledFor, requireOwnJob } from './for-job'
import { isArtifactName } from './name'
import { type ArtifactRow, selectVisibleArtifacts } from './store'

export interface ListFilter extends CalledFor {
  name: string | undefined
  id: number | undefined
}

/**
 * Lists the finished artifacts that a job sees: those of its attempt, and from earlier attempts those of jobs
 * that were not rerun.
 * @throws {DomainError} forbidden for another run or job.
 */
export async function listForJob(ctx: JobCtx, filter: ListFilter): Promise<ArtifactRow[]> {
  requireOwnJob(ctx, filter)
  const { name, id } = filter
  const canExist =
    (name === undefined || isArtifactName(name)) && (id === undefined || Number.isSafeInteger(id))
  return canExist ? selectVisibleArtifacts(ctx.db, ctx.caller, { now: ctx.clock.now(), name, id }) : []
}
