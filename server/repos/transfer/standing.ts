import type { Db } from '@/db/client'
import { organizationAccess, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import type { Caller } from '@/server/kernel/caller'

interface Standing {
  /** May accept and decline: the person, or whoever may create repositories in the organization. */
  mayAnswer: boolean
  /** May know the teams of the organization. */
  isInside: boolean
}

/** What the caller is to the recipient of a transfer. */
export async function standingWith(
  { db, caller }: { db: Db; caller: Caller },
  recipient: Account,
): Promise<Standing> {
  const subject = subjectOf(caller)
  if (subject.kind === 'anonymous') return { mayAnswer: false, isInside: false }
  if (recipient.kind === 'person') {
    const isSelf = subject.id === recipient.id
    return { mayAnswer: isSelf, isInside: isSelf }
  }
  const { isMember, mayManage, mayCreateRepository } = await organizationAccess(db, subject, recipient)
  return { mayAnswer: mayCreateRepository, isInside: isMember || mayManage }
}
