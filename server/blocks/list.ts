import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { countBlocked, selectBlocked } from './store'

/** A page of the people the caller blocks. */
export async function listBlocked(ctx: UserCtx, input: PageRequest): Promise<Page<User>> {
  const me = ctx.caller.user.id
  const rows = await selectBlocked(ctx.db, me, input)
  const page = await pageFromRows(input, rows, () => countBlocked(ctx.db, me))
  return { ...page, items: page.items.map(row => viewUser(row, ctx.caller, ctx.config.baseUrl)) }
}
