import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import type { TokenOwner } from './policy'
import type { ExpiringToken } from './schema'
import { countTokens, selectTokens } from './store'
import { viewToken } from './view'

/** A page of a person's tokens, newest first, without their secrets. */
export async function listTokens(
  ctx: UserCtx,
  owner: TokenOwner,
  input: PageRequest,
): Promise<Page<ExpiringToken>> {
  const rows = await selectTokens(ctx.db, owner.id, input)
  const page = await pageFromRows(input, rows, () => countTokens(ctx.db, owner.id))
  return { ...page, items: page.items.map(viewToken) }
}
