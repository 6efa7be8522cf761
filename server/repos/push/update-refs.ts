import { involvedAccounts } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { repositoryPath } from '../storage/paths'
import type { RepositoryRow } from '../store'
import { isMaintenanceDue, maintenance } from './maintenance'
import { type RefResult, type RefTransaction, startRefTransaction } from './ref-transaction'
import type { RefUpdate } from './ref-update'
import { refusedWorkflowChange } from './refuse-workflows'
import { requireRecordable } from './require-recordable'
import { recordOutcome } from './settle'
import { beginPush, forgetPush, type Push, type PushNote } from './spool'

/**
 * Creates, moves and deletes refs in one Git transaction, and records this like a push by the caller. The
 * transaction fails unless each ref points to the object `before`; all zeros mean that the ref must not
 * exist. If the process is killed, the recovery job records the change later.
 * @throws {GitError} if Git rejects the transaction; {DomainError} forbidden for a job that would change workflow files;
 * also the errors of `requireRecordable` and of `written`.
 */
export async function updateRefs(
  ctx: ServiceCtx,
  repository: RepositoryRow,
  updates: readonly RefUpdate[],
  { renamed, written, transaction }: RefUpdateOptions = {},
): Promise<void> {
  if (updates.length === 0) return
  await requireRecordable(ctx)
  const isDue = isMaintenanceDue(repository)
  const push = await beginPush(ctx, repository, { renamed, updates })
  try {
    const directory = repositoryPath(ctx.config, repository.storage_key)
    const isJob = ctx.caller.kind === 'job'
    const refusal = isJob ? await refusalOfJob(push, { directory, repository, written }) : undefined
    const { outcome, failure } =
      refusal ?? (await (transaction ?? aloneOn(directory)).commit(updates, written))
    const addedBytes = outcome && !isDue ? ((await written) ?? 0) : undefined
    await recordOutcome(ctx, { ...push.note, addedBytes, repository }, outcome)
    const forgotten = forgetPush(ctx.config, push.note.key).catch(error =>
      ctx.log.warn({ err: error, push: push.note.key }, 'could not delete the spool entry of a push'),
    )
    // The response need not wait: if the process ends now, recovery sees that the push is recorded.
    if (!outcome) await forgotten
    if (isDue) maintenance().request?.(repository, involvedAccounts(ctx.caller)[0])
    if (failure) throw failure
  } finally {
    push.release()
  }
}

/** More about a change of refs. */
interface RefUpdateOptions {
  renamed?: PushNote['renamed']
  /**
   * Resolves to about how many bytes the objects take to which the refs will point, once they are written. Absent if they
   * exist already.
   */
  written?: Promise<number>
  /** The Git transaction, if it has been started already. */
  transaction?: RefTransaction
}

const aloneOn = (repository: string): Pick<RefTransaction, 'commit'> => ({
  async commit(updates, written) {
    const transaction = startRefTransaction(repository)
    try {
      return await transaction.commit(updates, written)
    } finally {
      transaction.close()
    }
  },
})

async function refusalOfJob(
  { directory: spool }: Push,
  {
    directory,
    repository: { default_branch: defaultBranch },
    written,
  }: { directory: string; repository: RepositoryRow; written: Promise<unknown> | undefined },
): Promise<RefResult | undefined> {
  try {
    await written
  } catch (failure) {
    return { outcome: undefined, failure }
  }
  const refusal = await refusedWorkflowChange({
    spool,
    repository: directory,
    defaultBranch,
    quarantine: '',
  })
  return refusal === undefined ? undefined : { outcome: undefined, failure: forbidden(refusal) }
}
