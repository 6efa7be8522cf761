import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { requireSameScope, type SettingsScopeFor } from '@/server/scopes'
import { valueColumns } from './add'
import { recordChange } from './record'
import { nameInUse, readName, requireRoom } from './rules'
import { kindOf, lockVariable, updateVariable, type VariableChange, type VariableRow } from './store'

/** Changes of a secret or variable. Absent fields stay unchanged. */
export interface VariableEdit {
  name?: string | undefined
  value?: string | undefined
  description?: string | undefined
}

/**
 * Changes the given fields of a secret or variable.
 * @param editFor Computes the edit from the current row, which stays locked until the change is made.
 * @throws {DomainError} notFound if it is deleted or its repository transferred concurrently; invalid for an invalid
 * name; alreadyExists for a name in use; unprocessable if the scope has too many.
 */
export async function changeVariable(
  ctx: UserCtx,
  { scope, variable }: { scope: SettingsScopeFor; variable: VariableRow },
  editFor: (current: VariableRow) => VariableEdit,
): Promise<VariableRow> {
  const kind = kindOf(variable)
  let { name } = variable
  try {
    return await withTransaction(ctx.db, async trx => {
      const current = await lockVariable(trx, scope, variable.id)
      if (!current) throw deleted(kind)
      await requireSameScope(trx, scope)
      const { value, description, ...edit } = editFor(current)
      name = edit.name === undefined ? current.name : readName(kind, edit.name)
      if (value !== undefined) await requireRoom(trx, scope, { kind, name: current.name }, value)
      const changes: Record<string, VariableChange | false> = {
        name: name !== current.name && { name },
        value: value !== undefined && value !== current.value && valueColumns(ctx, kind, value),
        description: description !== undefined && description !== current.description && { description },
      }
      const changed = Object.keys(changes).filter(field => changes[field])
      if (changed.length === 0) return current
      const columns: VariableChange = Object.assign(
        { updated_at: ctx.clock.now() },
        ...Object.values(changes),
      )
      const row = await updateVariable(trx, current.id, columns)
      await recordChange(ctx, trx, scope, row, { verb: 'edited', changed: changed.join(' ') })
      return row
    })
  } catch (error) {
    throw uniqueViolation(error) ? nameInUse({ kind, name }) : error
  }
}
