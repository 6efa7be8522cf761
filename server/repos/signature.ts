import type { Account } from '@/server/kernel/account'
import { actingAccount, anonymous } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import type { Signature } from '@/server/kernel/git/object-text'
import { viewUser } from '@/server/users'

/**
 * Returns the Git signature that names the caller as the author of a commit or tag at the current time. If
 * the user hides their email, their placeholder address is used, because anyone who can read the repository
 * sees it. For a job that acts for nobody, the signature names Actions.
 */
export function signatureOf({ caller, config: { baseUrl }, clock }: ActingCtx): Signature {
  const user = actingAccount(caller)
  if (!user)
    return { name: 'Actions', email: `actions@noreply.${new URL(baseUrl).hostname}`, date: clock.now() }
  const email = user.hide_email
    ? viewUser({ caller: anonymous, config: { baseUrl } }, user).email
    : user.email
  return { name: shownName(user), email, date: clock.now() }
}

export const shownName = ({ full_name, name }: Account): string => full_name || name
