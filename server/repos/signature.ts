import type { Account } from '@/server/kernel/account'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import type { Signature } from '@/server/kernel/git/commit'
import { viewUser } from '@/server/users'

/**
 * The caller as the author, at this time, of what is written into a repository. That is there for everybody to read, and an
 * address the person hides must not get out that way.
 */
export function signatureOf({ caller: { user }, config: { baseUrl }, clock }: UserCtx): Signature {
  const email = user.hide_email
    ? viewUser({ caller: anonymous, config: { baseUrl } }, user).email
    : user.email
  return { name: shownName(user), email, date: clock.now() }
}

export const shownName = ({ full_name, name }: Account): string => full_name || name
