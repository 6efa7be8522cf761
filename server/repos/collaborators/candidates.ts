import { selectBlockedBetween } from '@/server/blocks'
import type { UserCtx } from '@/server/kernel/ctx'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate } from '@/server/users/schema'
import type { RepositoryFor } from '../find'
import type { administration } from '../policy'
import { selectCollaboratorsAmong } from './store'

/** People to make collaborators, found while typing, each with what keeps them from it. */
export async function collaboratorCandidates(
  ctx: UserCtx,
  { repository }: RepositoryFor<typeof administration>,
  text: string,
): Promise<Candidate[]> {
  const { id, owner_id } = repository
  const found = await findPeople(ctx, text)
  const ids = found.map(account => account.id)
  const collaborators = await selectCollaboratorsAmong(ctx.db, id, ids)
  const blocked = await selectBlockedBetween(ctx.db, [owner_id, ctx.caller.user.id], ids)
  return found.map(account => ({
    user: viewUser(ctx, account),
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
