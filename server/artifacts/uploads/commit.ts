import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { UploadPermit } from '../signed-path'
import { type ListedBlock, resolveOrder } from './block-order'
import { lockOpenUpload, selectBlocks, setOrder } from './block-store'
import { explainRefusal } from './refusal'

/**
 * Makes these the blocks of an upload, in this order. Blocks that are not listed are discarded. Can be repeated.
 * @throws {DomainError} invalid if a block was not uploaded; otherwise as `receiveBlock`.
 */
export async function commitBlocks(
  ctx: ServiceCtx,
  permit: UploadPermit,
  list: readonly ListedBlock[],
): Promise<void> {
  const { artifactId } = permit
  const isOpen = await withTransaction(ctx.db, async trx => {
    if (!(await lockOpenUpload(trx, permit, ctx.clock.now()))) return false
    await setOrder(trx, artifactId, resolveOrder(list, await selectBlocks(trx, artifactId)))
    return true
  })
  if (!isOpen) throw await explainRefusal(ctx, permit)
}
