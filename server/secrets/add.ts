import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { seal } from '@/server/kernel/seal'
import { requireSameScope, type SettingsScopeFor } from '@/server/scopes'
import { mapForeignKeyError } from '@/server/users'
import { recordChange } from './record'
import { nameInUse, readName, requireRoom } from './rules'
import { insertIfAbsent, scopeColumns, type VariableKind, type VariableRow } from './store'

export interface NewVariable {
  name: string
  value: string
  description?: string | undefined
}

/**
 * Adds a secret or variable to a scope.
 * @throws {DomainError} invalid for an invalid name; alreadyExists for a name in use; unprocessable if the scope has
 * too many, and for a secret of the site; notFound if the scope is deleted concurrently.
 */
export async function addVariable(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  kind: VariableKind,
  { name, value, description = '' }: NewVariable,
): Promise<VariableRow> {
  if (kind === 'secret' && scope.kind === 'site') {
    throw unprocessable(
      'The site can have variables but not secrets, because jobs in every repository would receive them.',
    )
  }
  const ref = { kind, name: readName(kind, name) }
  try {
    return await withTransaction(ctx.db, async trx => {
      await requireSameScope(trx, scope)
      await requireRoom(trx, scope, ref, value)
      const added = await insertIfAbsent(trx, {
        ...scopeColumns(scope),
        is_secret: kind === 'secret',
        name: ref.name,
        ...valueColumns(ctx, kind, value),
        description,
      })
      if (!added) throw nameInUse(ref)
      await recordChange(ctx, trx, scope, added, { verb: 'added' })
      return added
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

/** Returns the column that stores the value: sealed for a secret, plain for a variable. */
export const valueColumns = (
  ctx: UserCtx,
  kind: VariableKind,
  value: string,
): { value: string } | { value_sealed: Buffer } =>
  kind === 'secret' ? { value_sealed: seal(ctx.config, 'workflow.secret', value) } : { value }
