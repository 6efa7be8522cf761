import type { Db } from '@/db/client'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { SettingsScope, SettingsScopeFor } from '@/server/scopes'
import type { PermissionFields, ShownPermissions, WorkflowPermissions } from './schema'
import { readPermissions } from './store'

/** Returns the settings for job tokens that are set for a scope. */
export async function getPermissions(
  { db }: Pick<ServiceCtx, 'db'>,
  scope: SettingsScopeFor,
): Promise<WorkflowPermissions> {
  const { default: chosen, access_level: _, ...ceiling } = await readPermissions(db, scope)
  return {
    default_workflow_permissions: chosen === 'inherit' ? null : chosen,
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
  return { fields, inherited: { default: inherited, from } }
}

async function defaultOf(db: Db, scope: SettingsScope): Promise<'read' | 'write' | undefined> {
  const { default: chosen } = await readPermissions(db, scope)
  return chosen === 'inherit' ? undefined : chosen
}

/** Returns which other repositories can call the reusable workflows of a repository. */
export async function workflowAccessOf(
  { db }: Pick<ServiceCtx, 'db'>,
  { id, owner_id }: { id: number; owner_id: number },
): Promise<PermissionFields['access_level']> {
  const scope: SettingsScope = { kind: 'repository', repositoryId: id, ownerId: owner_id }
  return (await readPermissions(db, scope)).access_level
}
