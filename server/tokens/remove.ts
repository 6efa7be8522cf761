import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone, unprocessable } from '@/server/kernel/errors'
import type { TokenOwner } from './policy'
import { deleteToken, deleteTokensOf, selectMatchingTokens } from './store'

/**
 * Revokes a token by id or name, at once.
 * @throws {DomainError} notFound; unprocessable when the text fits more than one.
 */
export async function removeToken(ctx: UserCtx, owner: TokenOwner, idOrName: string): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const [token, another] = await selectMatchingTokens(trx, owner.id, idOrName)
    if (!token) throw gone('token')
    if (another) throw unprocessable(`multiple matches for token name '${idOrName}'`)
    await deleteToken(trx, token.id)
    await recordEvent(trx, originOf(ctx), {
      kind: 'token.removed',
      ownerId: owner.id,
      facts: { tokenId: token.id, name: token.name },
    })
  })
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
  const removed = await deleteTokensOf(trx, ownerId)
  await recordEvents(
    trx,
    originOf(ctx),
    removed.map(({ id, name }) => ({ kind: 'token.removed', ownerId, facts: { tokenId: id, name } })),
  )
  return removed.length
}
