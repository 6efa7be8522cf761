import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { changeLabels } from './change'
import type { LabelHolderFor } from './load'
import type { CreateLabelOption, Label } from './schema'
import { countLabels, insertLabels, type LabelRow } from './store'
import { viewLabel } from './view'

const maxLabels = 1000

/**
 * Creates a label, also if another one has the same name.
 * @throws {DomainError} unprocessable if there are 1,000 labels; notFound if the repository or organization is
 * deleted or transferred concurrently.
 */
export async function createLabel(
  ctx: UserCtx,
  holder: LabelHolderFor,
  { name, color, description, exclusive, is_archived }: CreateLabelOption,
): Promise<Label> {
  const [label] = await changeLabels(ctx, holder, async (trx, record) => {
    if ((await countLabels(trx, holder.ref)) >= maxLabels) {
      throw unprocessable(`A repository or an organization can have at most ${maxLabels} labels.`, {
        reason: { code: 'tooMany', what: 'labels', most: maxLabels },
      })
    }
    const row = { name, color, description, is_exclusive: exclusive, is_archived }
    await record()
    return await insertLabels(trx, holder.ref, [row])
  })
  return viewLabel(ctx, holder, label as LabelRow)
}
