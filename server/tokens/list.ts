import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { neverTime, wireTime } from '@/server/kernel/wire'
import type { TokenOwner } from './policy'
import type { ExpiringToken } from './schema'
import { countTokens, selectTokens, type TokenRow, type TokensWanted } from './store'

/** Lists a page of a person's matching tokens, without their secrets. */
export async function listTokens(
  ctx: UserCtx,
  owner: TokenOwner,
  input: TokensWanted & PageRequest,
): Promise<Page<ExpiringToken>> {
  const rows = await selectTokens(ctx.db, owner.id, input, input)
  const page = await pageFromRows(input, rows, () => countTokens(ctx.db, owner.id, input.q))
  return { ...page, items: page.items.map(viewToken) }
}

export function viewToken(token: TokenRow): ExpiringToken {
  return {
    id: token.id,
    name: token.name,
    sha1: '',
    token_last_eight: token.token_last_eight,
    scopes: token.scopes,
    created_at: wireTime(token.created_at),
    last_used_at: token.last_used_at ? wireTime(token.last_used_at) : neverTime,
    expires_at: token.expires_at && wireTime(token.expires_at),
  }
}
