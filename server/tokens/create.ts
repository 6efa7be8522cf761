import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { newAccessToken } from '@/server/kernel/auth/secret-token'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { neverTime } from '@/server/kernel/wire'
import { getTokenOwner } from './policy'
import type { AccessToken, CreateTokenInput } from './schema'
import { insertToken } from './store'
import { viewToken } from './view'
import { wantedScopes } from './wanted-scopes'

/**
 * Makes a personal access token; the answer is the only place that ever holds its secret.
 * Throws invalid for a name in use or scopes that are none, forbidden for more scope than the caller has.
 */
export async function createToken(ctx: UserCtx, input: CreateTokenInput): Promise<AccessToken> {
  const owner = await getTokenOwner(ctx, input.username)
  const scopes = wantedScopes(input.scopes, ctx.caller.credential)
  const { secret, hash, lastEight } = newAccessToken()
  try {
    const row = await withTransaction(ctx.db, async trx => {
      const token = {
        user_id: owner.id,
        name: input.name,
        scopes,
        token_hash: hash,
        token_last_eight: lastEight,
      }
      const made = await insertToken(trx, token)
      await recordEvent(ctx, trx, {
        kind: 'token.created',
        ownerId: owner.id,
        facts: { name: made.name, scopes: scopes.join(',') },
      })
      return made
    })
    return { ...viewToken(row), sha1: secret, created_at: neverTime }
  } catch (error) {
    if (uniqueViolation(error) !== 'access_tokens_name_unique') throw error
    throw invalid('access token name has been used already', { field: 'name', cause: error })
  }
}
