import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getAccount } from '@/server/users'
import { isBlocking } from './store'

/** Returns when the caller blocks the person named; throws notFound otherwise. */
export async function requireBlocked(ctx: UserCtx, username: string): Promise<void> {
  const account = await getAccount(ctx, username)
  if (!(await isBlocking(ctx.db, ctx.caller.user.id, account.id))) throw notFound()
}
