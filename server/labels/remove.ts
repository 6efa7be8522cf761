import type { UserCtx } from '@/server/kernel/ctx'
import { changeLabels } from './change'
import type { LabelHolderFor } from './load'
import { deleteLabel } from './store'

/**
 * Deletes a label. Does nothing if it does not exist.
 * @throws {DomainError} notFound if the repository or organization is deleted or transferred concurrently.
 */
export async function removeLabel(ctx: UserCtx, holder: LabelHolderFor, id: number): Promise<void> {
  await changeLabels(ctx, holder, async (trx, record) => {
    if (await deleteLabel(trx, holder.ref, id)) await record()
  })
}
