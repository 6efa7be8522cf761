import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { involvedAccounts } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import { deleted, invalid } from '@/server/kernel/errors'
import { mapForeignKeyError } from '@/server/users'
import { aboutRun, announceRun } from '../announce'
import { inRunQueue } from '../change-run'
import type { RunFor } from '../load'
import { requireUnarchived } from '../policy'
import { deleteRun, lockOwnersOf, lockRun } from '../store'

/**
 * Deletes a completed run with its jobs, logs and artifacts.
 * @throws {DomainError} forbidden if the repository is archived; invalid if the run has not completed;
 * notFound if it is deleted concurrently.
 */
export async function removeRun(ctx: ActingCtx, { repository, run: { id } }: RunFor<'write'>): Promise<void> {
  const remove = () =>
    withTransaction(ctx.db, async trx => {
      const locked = await lockOwnersOf(trx, repository, involvedAccounts(ctx.caller))
      const run = await lockRun(trx, id)
      if (!locked || !run) throw deleted('run')
      requireUnarchived(locked)
      if (run.status !== 'completed') throw invalid('this workflow run is not done')
      await deleteRun(trx, id)
      await recordEvent(trx, originOf(ctx), { kind: 'run.deleted', ...aboutRun(repository, run) })
      announceRun(trx, run)
    })
  await inRunQueue(ctx.db, id, remove).catch(error => {
    throw mapForeignKeyError(error)
  })
}
