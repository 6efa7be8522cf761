import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone, unprocessable } from '@/server/kernel/errors'
import { originOf, recordEvent } from '@/server/kernel/events/record'
import { getTokenOwner } from './policy'
import { deleteToken, selectMatchingTokens } from './store'

/** Revokes a token by id or name, at once. Throws notFound, unprocessable when the text fits more than one. */
export async function removeToken(ctx: UserCtx, input: { username: string; token: string }): Promise<void> {
  const owner = await getTokenOwner(ctx, input.username)
  await withTransaction(ctx.db, async trx => {
    const [token, another] = await selectMatchingTokens(trx, owner.id, input.token)
    if (!token) throw gone('token')
    if (another) throw unprocessable(`multiple matches for token name '${input.token}'`)
    await deleteToken(trx, token.id)
    await recordEvent(trx, originOf(ctx), {
      kind: 'token.removed',
      ownerId: owner.id,
      facts: { tokenId: token.id, name: token.name },
    })
  })
}
