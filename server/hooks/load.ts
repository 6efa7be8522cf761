import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { loadScope, type SettingsScope } from '@/server/scopes'
import type { ScopeName } from '@/server/scopes/schema'
import { findHook, type HookRow } from './store'

/** A scope whose hooks the caller may read and change. */
export type HookScopeFor = Allowed<SettingsScope, 'hooks'>

/** A hook that the caller may read and change, with the scope it belongs to. */
export type HookFor = Allowed<{ scope: HookScopeFor; hook: HookRow }, 'hooks'>

/**
 * Loads a scope if the caller may manage its hooks.
 * @throws {DomainError} as `loadScope`, and forbidden if webhooks are disabled.
 */
export async function loadHookScope(ctx: UserCtx, name: ScopeName): Promise<HookScopeFor> {
  const scope = await loadScope(ctx, name)
  if (!ctx.config.webhooks) throw forbidden('webhooks disabled by administrator')
  return allow(scope)
}

/**
 * Loads a hook of a scope with the same permission check.
 * @throws {DomainError} as for the scope, and notFound if the hook belongs to another scope.
 */
export async function loadHook(ctx: UserCtx, name: ScopeName, id: number): Promise<HookFor> {
  const scope = await loadHookScope(ctx, name)
  const hook = await findHook(ctx.db, scope, id)
  if (!hook) throw deleted('hook')
  return allow({ scope, hook })
}
