import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import { loadOrganization } from '@/server/orgs'
import { viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { countBlocked, selectBlocked } from './store'

/** A page of the people the caller blocks. */
export async function listBlocked(ctx: UserCtx, input: PageRequest): Promise<Page<User>> {
  return await listOf(ctx, ctx.caller.user, input)
}

/** A page of the people an organization blocks, for its owners. */
export async function listBlockedByOrg(
  ctx: UserCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  return await listOf(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input)
}

async function listOf(ctx: UserCtx, blocker: Account, input: PageRequest): Promise<Page<User>> {
  const { page, limit } = input
  // Counted apart: over the rows of the page it would join every blocked account.
  const [rows, total] = await Promise.all([
    selectBlocked(ctx.db, blocker.id, input),
    countBlocked(ctx.db, blocker.id),
  ])
  return { page, limit, total, items: rows.map(row => viewUser(ctx, row)) }
}
