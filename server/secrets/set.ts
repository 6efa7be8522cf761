import { RetryTransaction, withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { SettingsScopeFor } from '@/server/scopes'
import { addVariable, type NewVariable } from './add'
import { changeVariable } from './edit'
import { refOf } from './rules'
import { findVariable, type VariableRow } from './store'

/**
 * Gives a secret a value, and adds it where the scope has none of the name.
 * @returns The secret, and whether it is new.
 * @throws {DomainError} invalid for the name, unprocessable if the scope holds too much, notFound if it is deleted concurrently.
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

// Somebody else added or deleted it since it was looked up.
const isLost = (error: unknown, variable: VariableRow | undefined): boolean =>
  isDomainError(error) && (variable ? error.reason?.code === 'gone' : error.kind === 'alreadyExists')
