import { withTransaction } from '@/db/transaction'
import { announceRun, type RunFor } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import type { RemoveArtifactsInput } from './schema'
import { deleteArtifacts } from './store'

/**
 * Deletes several artifacts of a run. Returns how many were deleted and how many bytes that freed. Artifacts
 * that are being uploaded or were deleted concurrently are skipped.
 * @throws {DomainError} forbidden if the repository is archived.
 */
export async function removeArtifacts(
  { db }: Pick<ServiceCtx, 'db'>,
  { repository, run }: RunFor<'write'>,
  { ids }: RemoveArtifactsInput,
): Promise<{ removed: number; freed: number }> {
  if (repository.archived_at) {
    throw forbidden('This repository is archived. Unarchive it to delete artifacts.')
  }
  return await withTransaction(db, async trx => {
    const removed = await deleteArtifacts(trx, run.id, ids)
    if (removed.length > 0) announceRun(trx, run)
    const freed = removed.filter(({ status }) => status === 'finished')
    return { removed: removed.length, freed: freed.reduce((sum, { size }) => sum + size, 0) }
  })
}
