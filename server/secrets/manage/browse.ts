import type { UserCtx } from '@/server/kernel/ctx'
import { requireUnchanged } from '@/server/kernel/form-edit'
import type { PageRequest } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { SettingsScopeFor } from '@/server/scopes'
import { changeVariable } from '../edit'
import { listVariables } from '../list'
import type { VariableFor } from '../load'
import { selectInherited, selectNames, type VariableKind, type VariableRow } from '../store'
import type { BrowsedVariable, BrowsedVariablePage, InheritedVariable, SaveVariableInput } from './schema'

/** Lists a page of a scope's secrets or variables, with those that its jobs also get from the owner or the site. */
export async function browseVariables(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  { kind, ...request }: PageRequest & { kind: VariableKind },
): Promise<BrowsedVariablePage> {
  const page = await listVariables(ctx, scope, kind, request)
  return {
    ...page,
    items: page.items.map(viewBrowsed),
    inherited: await inheritedBy(ctx, scope, kind),
  }
}

export const viewBrowsed = (row: VariableRow): BrowsedVariable => ({
  id: row.id,
  name: row.name,
  value: row.value,
  description: row.description,
  created_at: wireTime(row.created_at),
  updated_at: wireTime(row.updated_at),
})

async function inheritedBy(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  kind: VariableKind,
): Promise<InheritedVariable[]> {
  const rows = await selectInherited(ctx.db, scope, kind)
  if (rows.length === 0) return []
  const nearer = new Set(await selectNames(ctx.db, scope, kind))
  const ofOwner = new Set(rows.flatMap(({ name, from }) => (from === 'owner' ? [name] : [])))
  return rows.map(({ name, from }) => ({
    name,
    from,
    overridden: nearer.has(name) || (from === 'site' && ofOwner.has(name)),
  }))
}

/**
 * Saves the fields that a form changed.
 * @throws {DomainError} as `changeVariable`, and conflict if someone else changed one of these fields since the form
 * was shown.
 */
export async function saveVariable(
  ctx: UserCtx,
  found: VariableFor,
  form: Pick<SaveVariableInput, 'changes' | 'expected'>,
): Promise<BrowsedVariable> {
  const row = await changeVariable(ctx, found, ({ name, value, description }) => {
    requireUnchanged({ name, value: value ?? '', description }, form)
    return form.changes
  })
  return viewBrowsed(row)
}
