import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { tooLarge } from '@/server/kernel/errors'
import type { UploadPermit } from '../signed-path'
import { type ListedBlock, resolveOrder } from './block-order'
import { type BlockRow, lockOpenUpload, selectBlocks, setOrder } from './block-store'
import { explainRefusal } from './refusal'

/**
 * Commits these blocks of an upload in this order and discards all others. Can be repeated.
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
    const blocks = await selectBlocks(trx, artifactId)
    const order = resolveOrder(list, blocks)
    requireSize(order, blocks, ctx.config.artifactMaxBytes)
    await setOrder(trx, artifactId, order)
    return true
  })
  if (!isOpen) throw await explainRefusal(ctx, permit)
}

// A list can name a block repeatedly, so a small upload can become a large artifact.
function requireSize(order: readonly number[], blocks: readonly BlockRow[], mostBytes: number): void {
  const sizes = new Map(blocks.map(({ part, size }) => [part, size]))
  const bytes = order.reduce((sum, part) => sum + (sizes.get(part) ?? 0), 0)
  if (bytes > mostBytes) throw tooLarge(`the artifact exceeds the limit of ${mostBytes} bytes`)
}
