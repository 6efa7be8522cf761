import { findAccountByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isBlocking } from './store'

/**
 * Returns when the caller blocks the person named, even if that account is hidden by now.
 * Throws notFound otherwise, with the same words for "not blocked", "hidden" and "absent".
 */
export async function requireBlocked(ctx: UserCtx, username: string): Promise<void> {
  const account = await findAccountByName(ctx.db, username)
  if (!account || !(await isBlocking(ctx.db, ctx.caller.user.id, account.id))) throw notFound()
}
