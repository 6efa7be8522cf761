import { RetryTransaction, withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { SettingsScopeFor } from '@/server/scopes'
import { addVariable, type NewVariable } from './add'
import { changeVariable } from './edit'
import { refOf } from './rules'
import { findVariable, type VariableRow } from './store'

/**
 * Sets the value of a secret, and creates the secret if the scope has none with this name.
 * @returns The secret, and whether it is new.
 * @throws {DomainError} invalid for an invalid name; unprocessable if the scope has too many; notFound if the scope is
 * deleted concurrently.
 */
export async function setSecret(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  input: NewVariable,
): Promise<{ secret: VariableRow; isNew: boolean }> {
  return await withTransaction(ctx.db, async trx => {
    const inside = { ...ctx, db: trx }
    const variable = await findVariable(trx, scope, refOf('secret', input.name))
    try {
      const secret = variable
        ? await changeVariable(inside, { scope, variable }, () => input)
        : await addVariable(inside, scope, 'secret', input)
      return { secret, isNew: !variable }
    } catch (error) {
      throw isLost(error, variable) ? new RetryTransaction() : error
    }
  })
}

// Someone else created or deleted the secret since it was read.
const isLost = (error: unknown, variable: VariableRow | undefined): boolean =>
  isDomainError(error) && (variable ? error.reason?.code === 'gone' : error.kind === 'alreadyExists')
