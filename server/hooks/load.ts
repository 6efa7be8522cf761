import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { loadScope, type SettingsScope } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { findHook, type HookRow } from './store'

/** A scope whose webhooks the caller can read and change. */
export type HookScopeFor = Allowed<SettingsScope, 'hooks'>

/** A webhook that the caller can read and change, with its scope. */
export type HookFor = Allowed<{ scope: HookScopeFor; hook: HookRow }, 'hooks'>

/**
 * Loads a scope if the caller is allowed to manage its webhooks.
 * @throws {DomainError} as `loadScope` does; forbidden if the site has webhooks disabled.
 */
export async function loadHookScope(ctx: UserCtx, name: ScopeName): Promise<HookScopeFor> {
  const scope = await loadScope(ctx, name)
  if (!ctx.config.webhooks) throw forbidden('webhooks disabled by administrator')
  return allow(scope)
}

/**
 * Loads a webhook of a scope if the caller is allowed to manage the scope's webhooks.
 * @throws {DomainError} as `loadHookScope` does; notFound if the webhook belongs to another scope.
 */
export async function loadHook(ctx: UserCtx, name: ScopeName, id: number): Promise<HookFor> {
  const scope = await loadHookScope(ctx, name)
  const hook = await findHook(ctx.db, scope, id)
  if (!hook) throw deleted('hook')
  return allow({ scope, hook })
}
