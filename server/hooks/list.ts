import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import type { HookScopeFor } from './load'
import { countHooks, type HookFilter, type HookRow, selectHooks } from './store'

/** Lists a page of the webhooks of an account, an organization, a repository, or the site, oldest first. */
export async function listHooks(
  ctx: UserCtx,
  scope: HookScopeFor,
  input: PageRequest & HookFilter,
): Promise<Page<HookRow>> {
  const rows = await selectHooks(ctx.db, scope, input)
  return await pageFromRows(input, rows, () => countHooks(ctx.db, scope, input))
}
