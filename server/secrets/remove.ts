import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { requireSameScope } from '@/server/scopes'
import type { VariableFor } from './load'
import { recordChange } from './record'
import { deleteVariable, kindOf, lockVariable } from './store'

/**
 * Deletes a secret or variable. Running jobs keep it.
 * @throws {DomainError} notFound if it is deleted or its repository transferred concurrently.
 */
export async function removeVariable(ctx: UserCtx, { scope, variable }: VariableFor): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const row = await lockVariable(trx, scope, variable.id)
    if (!row) throw deleted(kindOf(variable))
    await requireSameScope(trx, scope)
    await deleteVariable(trx, row.id)
    await recordChange(ctx, trx, scope, row, { verb: 'removed' })
  })
}
