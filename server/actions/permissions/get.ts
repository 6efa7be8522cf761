import type { Db } from '@/db/client'
import { findAccountById } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { SettingsScope, SettingsScopeFor } from '@/server/scopes'
import type { ShownPermissions, WorkflowPermissions } from './schema'
import { readPermissions } from './store'

/** Returns the settings for job tokens that are set for a scope. */
export async function getPermissions(
  { db }: Pick<ServiceCtx, 'db'>,
  scope: SettingsScopeFor,
): Promise<WorkflowPermissions> {
  const { default: selected, access_level: _, ...ceiling } = await readPermissions(db, scope)
  return {
    default_workflow_permissions: selected === 'inherit' ? null : selected,
    max_permissions: ceiling,
  }
}

/** Returns the settings of a scope for its page, with the default that it inherits. */
export async function showPermissions(
  { db }: Pick<ServiceCtx, 'db'>,
  scope: SettingsScopeFor,
): Promise<ShownPermissions> {
  const fields = await readPermissions(db, scope)
  const ofOwner = scope.kind === 'repository' && (await defaultOf(db, { ...scope, kind: 'owner' }))
  const from = ofOwner ? 'owner' : 'site'
  const inherited = ofOwner || (await defaultOf(db, { kind: 'site' })) || 'read'
  const owner = scope.kind === 'repository' ? await findAccountById(db, scope.ownerId) : undefined
  return { fields, inherited: { default: inherited, from }, owner_kind: owner?.kind ?? null }
}

async function defaultOf(db: Db, scope: SettingsScope): Promise<'read' | 'write' | undefined> {
  const { default: selected } = await readPermissions(db, scope)
  return selected === 'inherit' ? undefined : selected
}
