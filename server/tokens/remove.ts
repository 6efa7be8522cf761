import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, unprocessable } from '@/server/kernel/errors'
import type { TokenOwner } from './policy'
import { deleteTokens, selectMatchingTokens } from './store'

/**
 * Revokes a token by ID or name, immediately.
 * @throws {DomainError} notFound; unprocessable if more than one token matches.
 */
export async function removeToken(ctx: UserCtx, owner: TokenOwner, idOrName: string): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const [token, another] = await selectMatchingTokens(trx, owner.id, idOrName)
    if (!token) throw deleted('token')
    if (another) throw unprocessable(`multiple matches for token name '${idOrName}'`)
    await remove(ctx, trx, owner.id, [token.id])
  })
}

/**
 * Revokes several tokens of one person. Skips tokens that are not theirs or no longer exist. Returns the number of
 * revoked tokens.
 */
export async function removeTokens(ctx: UserCtx, owner: TokenOwner, ids: readonly number[]): Promise<number> {
  return await withTransaction(ctx.db, trx => remove(ctx, trx, owner.id, ids))
}

/**
 * Revokes all tokens of one person in the caller's transaction, with an event for each. Returns their number. The
 * caller must have authorized it.
 */
export async function removeAllTokens(
  ctx: UserCtx,
  trx: Transaction<Database>,
  ownerId: number,
): Promise<number> {
  return await remove(ctx, trx, ownerId, 'all')
}

async function remove(
  ctx: UserCtx,
  trx: Transaction<Database>,
  ownerId: number,
  ids: readonly number[] | 'all',
): Promise<number> {
  const removed = await deleteTokens(trx, ownerId, ids)
  await recordEvents(
    trx,
    originOf(ctx),
    removed.map(({ id, name }) => ({ kind: 'token.removed', ownerId, facts: { tokenId: id, name } })),
  )
  return removed.length
}
