import { selectBlockedBetween } from '@/server/blocks'
import type { UserCtx } from '@/server/kernel/ctx'
import { findPeople, viewUser } from '@/server/users'
import type { Candidate } from '@/server/users/schema'
import type { TeamFor } from './find'
import { selectMembersAmong } from './member-store'

/** People to add to a team, found while typing, each with what keeps them from it. */
export async function teamCandidates(
  ctx: UserCtx,
  { team, org }: TeamFor<'ownership'>,
  text: string,
): Promise<Candidate[]> {
  const found = await findPeople(ctx, text)
  const ids = found.map(({ id }) => id)
  const members = await selectMembersAmong(ctx.db, team.id, ids)
  const blocked = await selectBlockedBetween(ctx.db, [org.id, ctx.caller.user.id], ids)
  return found.map(account => ({
    user: viewUser(ctx, account),
    obstacle: members.has(account.id) ? 'member' : blocked.has(account.id) ? 'blocked' : null,
  }))
}
