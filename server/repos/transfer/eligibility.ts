import type { Db } from '@/db/client'
import { organizationAccess, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/account'
import type { Caller } from '@/server/kernel/caller'

interface Eligibility {
  /** Whether the caller is this person, or an owner of this organization. */
  owns: boolean
  /**
   * Whether the caller can accept and decline transfers to the account: the person themselves, or members who
   * can create repositories in the organization.
   */
  mayAnswer: boolean
  /** Whether the caller can know the organization's teams. */
  isInside: boolean
}

/**
 * Determines what the caller is allowed to do on behalf of an account that is the owner or the recipient of a
 * repository transfer.
 */
export async function eligibilityFor(
  { db, caller }: { db: Db; caller: Caller },
  account: Account,
): Promise<Eligibility> {
  const subject = subjectOf(caller)
  if (subject.kind === 'anonymous') return { owns: false, mayAnswer: false, isInside: false }
  if (account.kind === 'person') {
    const isSelf = subject.id === account.id
    return { owns: isSelf, mayAnswer: isSelf, isInside: isSelf }
  }
  const { isMember, isOwner, mayManage, mayCreateRepository } = await organizationAccess(db, subject, account)
  return { owns: isOwner, mayAnswer: mayCreateRepository, isInside: isMember || mayManage }
}

/** Returns whether each of these accounts is the caller or an organization that the caller owns. */
export async function ownsAll(
  ctx: { db: Db; caller: Caller },
  accounts: readonly Account[],
): Promise<boolean> {
  for (const account of accounts) if (!(await eligibilityFor(ctx, account)).owns) return false
  return true
}
