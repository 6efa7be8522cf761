import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import type { SettingsScopeFor } from '@/server/scopes'
import { countVariables, selectVariables, type VariableKind, type VariableRow } from './store'

/** Lists a page of a scope's secrets or variables, ordered by name. */
export async function listVariables(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  kind: VariableKind,
  request: PageRequest,
): Promise<Page<VariableRow>> {
  const rows = await selectVariables(ctx.db, scope, kind, request)
  return await pageFromRows(request, rows, () => countVariables(ctx.db, scope, kind))
}
