import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import { isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { recordEvent } from '@/server/kernel/events/record'
import { explainGone, getVisibleAccount } from '@/server/users'
import { deleteCollaborations } from './collaboration-store'
import { getOrg, type SeenOrg } from './find'
import { requireAnotherOwner } from './last-owner'
import { deleteMember } from './member-store'
import { requireMember, requireOwner } from './policy'

/**
 * Takes somebody out of the organization and all its teams, for its owners; members may leave by themselves. What they
 * were given singly on its repositories ends too.
 * It is no error when they were not in it. Throws notFound, forbidden, unprocessable for the last owner.
 */
export async function removeMember(ctx: UserCtx, input: { org: string; username: string }): Promise<void> {
  const seen = await getOrg(ctx, input.org)
  requireMember(seen)
  const account = await findPersonByName(ctx.db, input.username)
  if (!account || !isSelf(ctx.caller, account.id)) requireOwner(seen)
  if (account && (await takeOut(ctx, seen, account))) return
  // Whoever is no member is shown no better than anywhere else.
  await getVisibleAccount(ctx, input.username)
}

async function takeOut(ctx: UserCtx, { org }: SeenOrg, account: Account): Promise<boolean> {
  try {
    return await withTransaction(ctx.db, async trx => {
      await requireAnotherOwner(trx, org.id, account.id)
      if (!(await deleteMember(trx, org.id, account.id))) return false
      await deleteCollaborations(trx, org.id, [account.id])
      const facts = { member: account.name }
      await recordEvent(ctx, trx, { kind: 'org.member_removed', ownerId: org.id, facts })
      return true
    })
  } catch (error) {
    throw explainGone(error)
  }
}
