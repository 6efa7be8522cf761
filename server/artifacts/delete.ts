import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { announceRun } from '@/server/actions'
import type { JobCtx, ServiceCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import {
  type CalledFor,
  findVisibleArtifact,
  noSuchArtifact,
  requireOwnJob,
  requireUnarchived,
} from './for-job'
import type { ArtifactFor } from './load'
import { isArtifactName } from './name'
import { type ArtifactRow, deleteArtifact, findNamedArtifact } from './store'

/**
 * Deletes an artifact by name for a job, which frees the name immediately: the upload that the job itself has
 * not finished, or else the finished artifact that the job sees.
 * @throws {DomainError} forbidden for another run or job, or if the repository is archived; notFound.
 */
export async function deleteForJob(ctx: JobCtx, of: CalledFor, name: string): Promise<ArtifactRow> {
  const artifact = (await findOwnPending(ctx, of, name)) ?? (await findVisibleArtifact(ctx, of, name))
  await requireUnarchived(ctx)
  const removed = await withTransaction(ctx.db, trx => removeArtifact(trx, artifact))
  if (!removed) throw noSuchArtifact()
  return artifact
}

/**
 * Deletes an artifact that a person selected, expired or not.
 * @throws {DomainError} forbidden if the repository is archived; notFound if it is deleted concurrently.
 */
export async function deleteLoaded(
  ctx: Pick<ServiceCtx, 'db'>,
  { repository, artifact }: ArtifactFor<'write'>,
): Promise<void> {
  if (repository.archived_at) {
    throw forbidden('This repository is archived. Unarchive it to delete artifacts.')
  }
  if (!(await withTransaction(ctx.db, trx => removeArtifact(trx, artifact)))) throw deleted('artifact')
}

async function findOwnPending(ctx: JobCtx, of: CalledFor, name: string): Promise<ArtifactRow | undefined> {
  const { db, caller } = ctx
  if (of.jobId !== String(caller.jobId) || !isArtifactName(name)) return undefined
  requireOwnJob(ctx, of)
  const artifact = await findNamedArtifact(db, caller, name)
  return artifact?.status === 'pending' && artifact.job_id === caller.jobId ? artifact : undefined
}

/**
 * Deletes an artifact and aborts its upload, if one is in progress. Returns false if it was deleted
 * concurrently.
 */
export async function removeArtifact(
  trx: Transaction<Database>,
  { id, run_id, repository_id }: Pick<ArtifactRow, 'id' | 'run_id' | 'repository_id'>,
): Promise<boolean> {
  if (!(await deleteArtifact(trx, id))) return false
  announceRun(trx, { id: run_id, repository_id })
  return true
}
