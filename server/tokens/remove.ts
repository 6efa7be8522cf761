import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone, unprocessable } from '@/server/kernel/errors'
import type { TokenOwner } from './policy'
import { deleteToken, selectMatchingTokens } from './store'

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
