import type { JobCtx } from '@/server/kernel/ctx'
import { type CalledFor, noSuchArtifact, requireOwnJob, requireUnarchived } from './for-job'
import { isArtifactName } from './name'
import { type ArtifactRow, findNamedArtifact } from './store'
import { finalizeArtifact } from './uploads/finalize'

export interface Finished extends CalledFor {
  name: string
  /** In bytes. */
  size: number
  /** `sha256:` and 64 hexadecimal digits. */
  hash: string | undefined
}

/**
 * Finalizes an artifact that the job itself has uploaded. Can be repeated.
 * @throws {DomainError} forbidden for another run or job, or if the repository is archived; notFound; and as
 * `finalizeArtifact`.
 */
export async function finalizeForJob(ctx: JobCtx, finished: Finished): Promise<ArtifactRow> {
  requireOwnJob(ctx, finished)
  await requireUnarchived(ctx)
  const { name, size, hash } = finished
  const artifact = isArtifactName(name) ? await findNamedArtifact(ctx.db, ctx.caller, name) : undefined
  if (artifact?.job_id !== ctx.caller.jobId) throw noSuchArtifact()
  return await finalizeArtifact(ctx, { artifact, size, hash })
}
