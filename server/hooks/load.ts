import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { loadScope, type SettingsScope } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { findHook, type HookRow } from './store'

/**
 * An account, an organization, a repository, or the site, whose webhooks the caller is allowed to manage.
 */
export type HookScopeFor = Allowed<SettingsScope, 'hooks'>

/**
 * A webhook that the caller is allowed to manage, with its scope: an account, an organization, a repository,
 * or the site.
 */
export type HookFor = Allowed<{ scope: HookScopeFor; hook: HookRow }, 'hooks'>

/**
 * Loads the account, organization, or repository with this name, or the site, for a caller who must be
 * allowed to manage its webhooks.
 * @throws {DomainError} notFound if the account, organization, or repository does not exist for the caller;
 * moved if it was renamed; forbidden if the caller is not allowed to manage its webhooks or if webhooks are
 * disabled on the site.
 */
export async function loadHookScope(ctx: UserCtx, name: ScopeName): Promise<HookScopeFor> {
  const scope = await loadScope(ctx, name)
  if (!ctx.config.webhooks) throw forbidden('webhooks disabled by administrator')
  return allow(scope)
}

/**
 * Loads a webhook of an account, an organization, a repository, or the site, for a caller who must be allowed
 * to manage it.
 * @throws {DomainError} the errors of `loadHookScope`; notFound if the webhook does not exist or belongs to
 * another account, organization, or repository.
 */
export async function loadHook(ctx: UserCtx, name: ScopeName, id: number): Promise<HookFor> {
  const scope = await loadHookScope(ctx, name)
  const hook = await findHook(ctx.db, scope, id)
  if (!hook) throw deleted('hook')
  return allow({ scope, hook })
}
