import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { type FormEdit, requireUnchanged } from '@/server/kernel/form-edit'
import { requireSameScope, type SettingsScopeFor } from '@/server/scopes'
import { keepAccounts, mapForeignKeyError } from '@/server/users'
import type { PermissionFields, SetWorkflowPermissionsOption } from './schema'
import { lockPermissions, writePermissions } from './store'

/**
 * Sets what the tokens of jobs can do by default and at most. Omitted fields stay unchanged.
 * @throws {DomainError} as `savePermissions`.
 */
export async function setPermissions(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  { default_workflow_permissions: fallback, max_permissions: ceiling = {} }: SetWorkflowPermissionsOption,
): Promise<void> {
  const selected = fallback === undefined ? {} : { default: fallback ?? ('inherit' as const) }
  await savePermissions(ctx, scope, { ...ceiling, ...selected })
}

/**
 * Changes the settings for the tokens of jobs, which apply to running jobs immediately.
 * @param form The form that a person edited, if one did.
 * @throws {DomainError} unprocessable if the site would inherit its default, or for the access level of
 * anything but a repository; conflict if someone else has changed the edited fields since the form was shown;
 * notFound if the scope is deleted or the repository is transferred concurrently.
 */
export async function savePermissions(
  ctx: UserCtx,
  scope: SettingsScopeFor,
  changes: Partial<PermissionFields>,
  form?: FormEdit<PermissionFields>,
): Promise<PermissionFields> {
  requireFitting(scope, changes)
  const save = withTransaction(ctx.db, async trx => {
    await keepAccounts(trx, [originOf(ctx).actorId])
    await requireSameScope(trx, scope)
    const current = await lockPermissions(trx, scope)
    if (form) requireUnchanged(current, form)
    const provided = Object.entries(changes).filter(([, value]) => value !== undefined)
    const next: PermissionFields = { ...current, ...Object.fromEntries(provided) }
    const changed = (Object.keys(next) as (keyof PermissionFields)[]).filter(
      field => next[field] !== current[field],
    )
    if (changed.length === 0) return current
    await writePermissions(trx, scope, next)
    await recordEvent(trx, originOf(ctx), {
      kind: 'permissions.edited',
      ownerId: scope.kind === 'site' ? null : scope.ownerId,
      facts: {
        repositoryId: scope.kind === 'repository' ? scope.repositoryId : null,
        changed: changed.join(' '),
      },
    })
    return next
  })
  return await save.catch(error => {
    throw mapForeignKeyError(error)
  })
}

function requireFitting(scope: SettingsScopeFor, changes: Partial<PermissionFields>): void {
  if (scope.kind === 'site' && changes.default === 'inherit') {
    throw unprocessable('The site inherits nothing: choose read or write.', {
      field: 'default_workflow_permissions',
    })
  }
  if (scope.kind !== 'repository' && changes.access_level !== undefined) {
    throw unprocessable('Only a repository has an access level.', { field: 'access_level' })
  }
}
