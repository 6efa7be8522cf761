import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { loadPlace, type Place } from '@/server/places'
import type { PlaceName } from '@/server/places/schema'
import { findHook, type HookRow } from './store'

/** A place whose hooks the caller may read and change. */
export type HookPlaceFor = Allowed<Place, 'hooks'>

/** A hook that the caller may read and change, with the place it belongs to. */
export type HookFor = Allowed<{ place: HookPlaceFor; hook: HookRow }, 'hooks'>

/**
 * Loads a place if the caller may manage its hooks.
 * @throws {DomainError} as `loadPlace`, and forbidden if webhooks are disabled.
 */
export async function loadHookPlace(ctx: UserCtx, name: PlaceName): Promise<HookPlaceFor> {
  const place = await loadPlace(ctx, name)
  if (!ctx.config.webhooks) throw forbidden('webhooks disabled by administrator')
  return allow(place)
}

/**
 * Loads a hook of a place with the same permission check.
 * @throws {DomainError} as for the place, and notFound if the hook belongs to another place.
 */
export async function loadHook(ctx: UserCtx, name: PlaceName, id: number): Promise<HookFor> {
  const place = await loadHookPlace(ctx, name)
  const hook = await findHook(ctx.db, place, id)
  if (!hook) throw deleted('hook')
  return allow({ place, hook })
}
