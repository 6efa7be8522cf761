import type { Db } from '@/db/client'
import { organizationAccess, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/account'
import type { Caller } from '@/server/kernel/caller'

interface Eligibility {
  /** Is the person, or of the owners of the organization. */
  owns: boolean
  /** May accept and decline: the person, or whoever may create repositories in the organization. */
  mayAnswer: boolean
  /** May know the teams of the organization. */
  isInside: boolean
}

/** What the caller is to an account that a transfer is from or to. */
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

/** Whether the caller is, or is of the owners of, each of these accounts. */
export async function ownsAll(
  ctx: { db: Db; caller: Caller },
  accounts: readonly Account[],
): Promise<boolean> {
  for (const account of accounts) if (!(await eligibilityFor(ctx, account)).owns) return false
  return true
}
