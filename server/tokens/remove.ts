import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, unprocessable } from '@/server/kernel/errors'
import type { TokenOwner } from './policy'
import { deleteTokens, selectMatchingTokens } from './store'

/**
 * Revokes a token by id or name, at once.
 * @throws {DomainError} notFound; unprocessable when the text fits more than one.
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
 * Revokes several tokens of one person at once; those that are not theirs, or not there anymore, are passed over. Returns
 * how many were revoked.
 */
export async function removeTokens(ctx: UserCtx, owner: TokenOwner, ids: readonly number[]): Promise<number> {
  return await withTransaction(ctx.db, trx => remove(ctx, trx, owner.id, ids))
}

/**
 * Revokes all tokens of one person in a transaction that the caller began, with an event for each; returns how many. The
 * caller has settled that whoever asks may do so.
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
