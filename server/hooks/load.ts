import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { requireAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import { administration, loadRepository } from '@/server/repos'
import type { HookPlaceName } from './schema'
import { findHook, type HookPlace, type HookRow } from './store'

/** A place whose hooks the caller may read and change. */
export type HookPlaceFor = Allowed<HookPlace, 'hooks'>

/** A hook that the caller may read and change, with the place it belongs to. */
export type HookFor = Allowed<{ place: HookPlaceFor; hook: HookRow }, 'hooks'>

/**
 * Loads a place if the caller may manage its hooks: owners of the organization, administrators of the repository or
 * site, and everyone for their own account.
 * @throws {DomainError} notFound, moved after a rename, forbidden for everyone else and if webhooks are disabled.
 */
export async function loadHookPlace(ctx: UserCtx, name: HookPlaceName): Promise<HookPlaceFor> {
  const place = await placeNamed(ctx, name)
  if (!ctx.config.webhooks) throw forbidden('webhooks disabled by administrator')
  return allow(place)
}

/**
 * Loads a hook of a place with the same permission check.
 * @throws {DomainError} as for the place, and notFound if the hook belongs to another place.
 */
export async function loadHook(ctx: UserCtx, name: HookPlaceName, id: number): Promise<HookFor> {
  const place = await loadHookPlace(ctx, name)
  const hook = await findHook(ctx.db, place, id)
  if (!hook) throw gone('hook')
  return allow({ place, hook })
}

async function placeNamed(ctx: UserCtx, name: HookPlaceName): Promise<HookPlace> {
  switch (name.scope) {
    case 'organization': {
      const { org } = await loadOrganization(ctx, name.org, 'ownership')
      return { scope: 'owner', ownerId: org.id }
    }
    case 'repository': {
      const { repository } = await loadRepository(ctx, name, administration)
      return { scope: 'repository', repositoryId: repository.id, ownerId: repository.owner_id }
    }
    case 'own':
      return { scope: 'owner', ownerId: ctx.caller.user.id }
    case 'site':
      requireAdmin(ctx.caller)
      return { scope: 'site' }
  }
}
