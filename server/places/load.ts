import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { requireAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import { administration, isStillOwned, loadRepository } from '@/server/repos'
import type { PlaceName } from './schema'

/** What webhooks, secrets, variables and runners belong to. An owner is a person or an organization. */
export type Place =
  | { scope: 'owner'; ownerId: number }
  | { scope: 'repository'; repositoryId: number; ownerId: number }
  | { scope: 'site' }

/** A place that the caller may manage. */
export type PlaceFor = Allowed<Place, 'management'>

/**
 * Loads a place if the caller may manage it: owners of the organization, administrators of the repository or site, and
 * everyone for their own account.
 * @throws {DomainError} notFound, moved after a rename, forbidden for everyone else.
 */
export async function loadPlace(ctx: UserCtx, name: PlaceName): Promise<PlaceFor> {
  return allow(await placeNamed(ctx, name))
}

async function placeNamed(ctx: UserCtx, name: PlaceName): Promise<Place> {
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

/**
 * Requires that a repository has the owner that it was loaded with, which it keeps until the transaction ends: whoever gave it
 * away meanwhile sets nothing up there. Other places do not change owners.
 * @throws {DomainError} notFound.
 */
export async function requireSamePlace(trx: Transaction<Database>, place: Place): Promise<void> {
  if (place.scope !== 'repository') return
  if (!(await isStillOwned(trx, place.repositoryId, place.ownerId))) throw deleted('repository')
}
