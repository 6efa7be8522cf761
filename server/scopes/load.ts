import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { requireAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import { administration, isStillOwned, loadRepository } from '@/server/repos'
import type { ScopeName } from './schema'

/**
 * What a webhook, secret, variable or runner belongs to: an account, a repository or the site. An owner is a
 * person or an organization.
 */
export type SettingsScope =
  | { kind: 'owner'; ownerId: number }
  | { kind: 'repository'; repositoryId: number; ownerId: number }
  | { kind: 'site' }

/** A scope that the caller can manage. */
export type SettingsScopeFor = Allowed<SettingsScope, 'management'>

/**
 * Loads a scope that the caller can manage: their own account, an organization that they own, a repository
 * that they administer, or the site if they are a site administrator.
 * @throws {DomainError} notFound, moved after a rename, or forbidden if the caller cannot manage the scope.
 */
export async function loadScope(ctx: UserCtx, name: ScopeName): Promise<SettingsScopeFor> {
  return allow(await scopeNamed(ctx, name))
}

async function scopeNamed(ctx: UserCtx, name: ScopeName): Promise<SettingsScope> {
  switch (name.kind) {
    case 'organization': {
      const { org } = await loadOrganization(ctx, name.org, 'ownership')
      return { kind: 'owner', ownerId: org.id }
    }
    case 'repository': {
      const { repository } = await loadRepository(ctx, name, administration)
      return { kind: 'repository', repositoryId: repository.id, ownerId: repository.owner_id }
    }
    case 'own':
      return { kind: 'owner', ownerId: ctx.caller.user.id }
    case 'site':
      requireAdmin(ctx.caller)
      return { kind: 'site' }
  }
}

/**
 * Checks that a repository still has the owner that it was loaded with, and keeps that owner until the
 * transaction ends. Without this check, a person who transferred a repository concurrently could still
 * configure it. Other scopes do not change owners.
 * @throws {DomainError} notFound if the repository was deleted or has another owner.
 */
export async function requireSameScope(trx: Transaction<Database>, scope: SettingsScope): Promise<void> {
  if (scope.kind !== 'repository') return
  if (!(await isStillOwned(trx, scope.repositoryId, scope.ownerId))) throw deleted('repository')
}
