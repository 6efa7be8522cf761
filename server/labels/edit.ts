import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { changeLabels } from './change'
import type { LabelHolderFor } from './load'
import type { EditLabelOption, Label, SaveLabelInput } from './schema'
import { findLabel, type LabelRow, updateLabel } from './store'
import { viewLabel } from './view'

/**
 * Updates the fields of a label that are present in the input.
 * @throws {DomainError} notFound if the label does not exist, and if the repository or organization is deleted or
 * transferred concurrently.
 */
export async function editLabel(
  ctx: UserCtx,
  holder: LabelHolderFor,
  id: number,
  input: EditLabelOption,
): Promise<Label> {
  return await edit(ctx, holder, id, input)
}

/**
 * Updates the fields of a label that a person changed in a form.
 * @throws {DomainError} conflict if another person changed one of these fields after the form was shown; notFound
 * as for `editLabel`.
 */
export async function saveLabel(ctx: UserCtx, holder: LabelHolderFor, form: SaveLabelInput): Promise<Label> {
  return await edit(ctx, holder, form.id, form.changes, form)
}

async function edit(
  ctx: UserCtx,
  holder: LabelHolderFor,
  id: number,
  { name, color, description, exclusive, is_archived }: EditLabelOption,
  form?: SaveLabelInput,
): Promise<Label> {
  const label = await changeLabels(ctx, holder, async (trx, record) => {
    const current = await findLabel(trx, holder.ref, { id })
    if (!current) throw deleted('label')
    if (form) requireUnchanged(fieldsOf(current), form)
    const fields = { name, color, description, is_exclusive: exclusive, is_archived }
    const change = Object.entries(fields).filter(
      ([column, value]) => value !== undefined && value !== current[column as keyof typeof fields],
    )
    if (change.length === 0) return current
    await record()
    return await updateLabel(trx, id, Object.fromEntries(change))
  })
  return viewLabel(ctx, holder, label)
}

const fieldsOf = ({ name, color, description, is_exclusive, is_archived }: LabelRow) => ({
  name,
  color,
  description,
  exclusive: is_exclusive,
  is_archived,
})
