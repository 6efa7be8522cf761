import type { Account } from '@/server/kernel/auth/account'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import { isBlocking } from './store'

/**
 * Returns when the caller blocks the person named, even if that account is hidden by now.
 * Throws notFound otherwise, with the same words for "not blocked", "hidden" and "absent".
 */
export async function requireBlocked(ctx: UserCtx, username: string): Promise<void> {
  await requireBlockedBy(ctx, ctx.caller.user, username)
}

/** The same of an organization, for its owners. */
export async function requireBlockedByOrg(
  ctx: UserCtx,
  input: { org: string; username: string },
): Promise<void> {
  await requireBlockedBy(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input.username)
}

async function requireBlockedBy(ctx: UserCtx, blocker: Account, username: string): Promise<void> {
  const account = await findPersonByName(ctx.db, username)
  if (!account || !(await isBlocking(ctx.db, blocker.id, account.id))) throw notFound()
}
