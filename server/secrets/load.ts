import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadScope, type SettingsScopeFor } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { findVariable, type VariableRef, type VariableRow } from './store'

/** A secret or variable that the caller can manage, with its scope. */
export type VariableFor = Allowed<{ scope: SettingsScopeFor; variable: VariableRow }, 'management'>

/**
 * Loads a secret or variable of a scope that the caller can manage.
 * @throws {DomainError} as `loadScope`, and notFound if the scope has none with this name.
 */
export async function loadVariable(ctx: UserCtx, named: ScopeName, ref: VariableRef): Promise<VariableFor> {
  const scope = await loadScope(ctx, named)
  const variable = await findVariable(ctx.db, scope, ref)
  if (!variable) throw deleted(ref.kind)
  return allow({ scope, variable })
}
