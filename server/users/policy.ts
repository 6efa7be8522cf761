import { organizationAccess, subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import { isPublicOnly } from '@/server/kernel/auth/scopes'
import { type Caller, isAdmin, isSelf } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'

/** Limited people are for whoever is signed in, private ones for themselves and administrators; organizations have members. */
export async function maySeeAccount(ctx: ServiceCtx, account: Account): Promise<boolean> {
  if (account.kind === 'person') return maySeePerson(ctx.caller, account)
  return (await organizationAccess(ctx.db, subjectOf(ctx.caller), account)).visible
}

export function maySeePerson(viewer: Caller, account: Account): boolean {
  if (account.visibility === 'public' || isAdmin(viewer) || isSelf(viewer, account.id)) return true
  return account.visibility === 'limited' && viewer.kind === 'user'
}

/** Is this somebody whose token shows public data only, whoever they are? */
export function seesOnlyPublic(viewer: Caller): boolean {
  return (
    viewer.kind === 'user' && viewer.credential.kind === 'token' && isPublicOnly(viewer.credential.scopes)
  )
}

/** Throws forbidden when the caller's token is limited to public data and this account is not public. */
export function requirePublicScope(viewer: Caller, account: Pick<Account, 'visibility'>): void {
  if (seesOnlyPublic(viewer) && account.visibility !== 'public') {
    throw forbidden('token scope is limited to public users')
  }
}
