import type { JobCtx } from '@/server/kernel/ctx'
import { type DomainError, forbidden, notFound } from '@/server/kernel/errors'
import { isArtifactName } from './name'
import { type ArtifactRow, isArchived, selectVisibleArtifacts } from './store'

/** Run and job that a remote call names. Both are unchecked text. */
export interface CalledFor {
  runId: string
  jobId: string
}

/**
 * Requires that a call names the calling job and its run.
 * @throws {DomainError} forbidden.
 */
export function requireOwnJob({ caller }: JobCtx, { runId, jobId }: CalledFor): void {
  requireOwnRun(caller.runId, runId)
  if (jobId !== String(caller.jobId)) throw wrongJob()
}

/**
 * Requires that the repository of a job is not archived, which can happen while the job runs.
 * @throws {DomainError} forbidden.
 */
export async function requireUnarchived({ db, caller }: JobCtx): Promise<void> {
  if (await isArchived(db, caller.repositoryId))
    throw forbidden('the repository is archived, so its artifacts cannot be changed')
}

/**
 * Finds a finished artifact that a job can read or delete: one of its own attempt, or of a job that this
 * attempt did not rerun. The call can name either the job itself or, as in the list of artifacts, the job
 * that created the artifact.
 * @throws {DomainError} forbidden if it names another run or job; notFound.
 */
export async function findVisibleArtifact(
  ctx: JobCtx,
  { runId, jobId }: CalledFor,
  name: string,
): Promise<ArtifactRow> {
  const { caller, db, clock } = ctx
  requireOwnRun(caller.runId, runId)
  const own = jobId === String(caller.jobId)
  const found = isArtifactName(name)
    ? await selectVisibleArtifacts(db, caller, { now: clock.now(), name })
    : []
  const [artifact] = found
  if (!own && jobId !== String(artifact?.job_id)) throw wrongJob()
  if (!artifact) throw noSuchArtifact()
  return artifact
}

function requireOwnRun(own: number, runId: string): void {
  if (runId !== String(own)) throw forbidden('the token belongs to another workflow run')
}

export const noSuchArtifact = (): DomainError =>
  notFound('the workflow run has no artifact with this name', { reason: { code: 'gone', what: 'artifact' } })

const wrongJob = () => forbidden('the token belongs to another job')
