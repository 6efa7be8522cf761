import type { UserCtx } from '@/server/kernel/ctx'
import { loadOrganization, selectMembersAmong } from '@/server/orgs'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate } from '@/server/users/schema'
import { selectBlockedAmong } from './store'

/** People to block, found while typing; for an organization, by one of its owners. @throws {DomainError} notFound, forbidden. */
export async function blockCandidates(
  ctx: UserCtx,
  input: { org?: string | undefined; q: string },
): Promise<Candidate[]> {
  const { user } = ctx.caller
  const blocker = input.org === undefined ? user : (await loadOrganization(ctx, input.org, 'ownership')).org
  const found = await findPeople(ctx, input.q)
  const ids = found.map(({ id }) => id)
  const blocked = await selectBlockedAmong(ctx.db, blocker.id, ids)
  const members = await selectMembersAmong(ctx.db, blocker.id, ids)
  return found.map(account => ({
    user: viewUser(ctx, account),
    obstacle:
      account.id === user.id
        ? 'self'
        : blocked.has(account.id)
          ? 'blocked'
          : members.has(account.id)
            ? 'member'
            : null,
  }))
}
