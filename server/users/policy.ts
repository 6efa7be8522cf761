import { maySeePerson, organizationAccess, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx } from '@/server/kernel/ctx'

/** Whether the caller may know of this person or organization. */
export async function maySeeAccount(ctx: ServiceCtx, account: Account): Promise<boolean> {
  const subject = subjectOf(ctx.caller)
  if (account.kind === 'person') return maySeePerson(subject, account)
  return (await organizationAccess(ctx.db, subject, account)).visible
}
