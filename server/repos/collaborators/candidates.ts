import { selectBlockedBetween } from '@/server/blocks'
import type { UserCtx } from '@/server/kernel/ctx'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate } from '@/server/users/schema'
import { getRepository } from '../find'
import { requireAdminister } from '../policy'
import { selectCollaboratorsAmong } from './store'

/**
 * People to make collaborators, found while typing. Throws notFound, moved after a rename, forbidden for who does not
 * administer the repository.
 */
export async function collaboratorCandidates(
  ctx: UserCtx,
  input: { owner: string; repo: string; q: string },
): Promise<Candidate[]> {
  const seen = await getRepository(ctx, input)
  requireAdminister(seen)
  const { id, owner_id } = seen.repository
  const found = await findPeople(ctx, input.q)
  const ids = found.map(account => account.id)
  const collaborators = await selectCollaboratorsAmong(ctx.db, id, ids)
  const blocked = await selectBlockedBetween(ctx.db, [owner_id, ctx.caller.user.id], ids)
  return found.map(account => ({
    user: viewUser(account, ctx.caller, ctx.config.baseUrl),
    obstacle:
      account.id === owner_id
        ? 'owner'
        : collaborators.has(account.id)
          ? 'collaborator'
          : blocked.has(account.id)
            ? 'blocked'
            : null,
  }))
}
