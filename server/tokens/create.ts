import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { newAccessToken } from '@/server/auth/credentials/secret-token'
import { confirmCaller } from '@/server/auth/reauthenticate'
import { originOf, recordEvent } from '@/server/events'
import type { Credential } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, invalid, unprocessable } from '@/server/kernel/errors'
import { parseExpiry } from '@/server/kernel/expiry'
import { coversScopes, isScope, normalizeScopes, type Scope } from '@/server/kernel/scopes'
import { neverTime } from '@/server/kernel/wire'
import { mapForeignKeyError } from '@/server/users'
import { viewToken } from './list'
import type { TokenOwner } from './policy'
import type { CreateExpiringTokenInput, ExpiringToken } from './schema'
import { countTokens, insertToken } from './store'

/** Far more tokens than one person uses. The limit keeps one account from filling the table. */
const maxTokens = 1000

/**
 * Creates an access token. Only the returned value ever contains its secret. A token that is created with another
 * token expires no later than that one.
 * @throws {DomainError} invalid for a name in use and for no or unknown scopes; forbidden for scopes that the caller
 * lacks; unprocessable for one token too many or an expiration date in the past.
 */
export async function createToken(
  ctx: UserCtx,
  owner: TokenOwner,
  input: Omit<CreateExpiringTokenInput, 'username'>,
): Promise<ExpiringToken> {
  const scopes = wantedScopes(input.scopes, ctx.caller.credential)
  const expires_at = earlierEnd(parseExpiry(ctx, 'token', input.expires_at), ctx.caller.credential)
  const { secret, hash, lastEight } = newAccessToken()
  try {
    const row = await withTransaction(ctx.db, async trx => {
      await confirmCaller(ctx, trx)
      if ((await countTokens(trx, owner.id)) >= maxTokens) {
        throw unprocessable(
          `An account can have at most ${maxTokens} access tokens. Delete one that is no longer used.`,
          { reason: { code: 'tooMany', what: 'tokens', most: maxTokens } },
        )
      }
      const token = {
        user_id: owner.id,
        name: input.name,
        scopes,
        token_hash: hash,
        token_last_eight: lastEight,
        expires_at,
      }
      const made = await insertToken(trx, token)
      await recordEvent(trx, originOf(ctx), {
        kind: 'token.created',
        ownerId: owner.id,
        facts: { tokenId: made.id, name: made.name, scopes: scopes.join(',') },
      })
      return made
    })
    return { ...viewToken(row), sha1: secret, created_at: neverTime }
  } catch (error) {
    if (uniqueViolation(error) !== 'access_tokens_name_unique') throw mapForeignKeyError(error)
    throw invalid('access token name has been used already', {
      field: 'name',
      reason: { code: 'nameTaken', what: 'token', name: input.name },
      cause: error,
    })
  }
}

// A token created with another one expires no later than that one.
function earlierEnd(end: Date | null, credential: Credential): Date | null {
  const held = credential.kind === 'token' ? credential.expiresAt : null
  return held && (!end || held < end) ? held : end
}

/**
 * Validates and normalizes the requested scopes.
 * @throws {DomainError} invalid for no or unknown scopes; forbidden for scopes that the caller lacks.
 */
export function wantedScopes(words: readonly string[] | undefined, credential: Credential): Scope[] {
  const unknown = words?.find(word => !isScope(word))
  if (unknown !== undefined) {
    throw invalid(`invalid access token scope provided: ${unknown}`, { field: 'scopes' })
  }
  const scopes = normalizeScopes((words ?? []).filter(isScope))
  if (scopes.length === 0) throw invalid('access token must have a scope', { field: 'scopes' })
  if (credential.kind === 'token' && !coversScopes(credential.scopes, scopes)) {
    throw forbidden('cannot create an access token with a broader scope than the authenticating token')
  }
  return scopes
}
