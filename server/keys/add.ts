import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { isTokenUsable, type TokenAtTime } from '@/server/auth/credentials/access-token'
import { confirmCaller, confirmingToken } from '@/server/auth/reauthenticate'
import { originOf, recordedInsertion } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { type DomainError, type Reason, unprocessable } from '@/server/kernel/errors'
import { parseExpiry } from '@/server/kernel/expiry'
import { mapForeignKeyError } from '@/server/users'
import { requireKeyManagement } from './policy'
import type { AddKeyInput, PublicKey } from './schema'
import { parsePublicKey } from './ssh/parse'
import { keyInsertion, type NewKey, selectKeysByFingerprint } from './store'
import { viewKey } from './view'

// Far more keys than one person has machines. The limit keeps one account from filling the table.
const maxKeys = 1000

const insertKey = recordedInsertion({
  kind: 'key.added',
  idFact: 'keyId',
  insert: (db, { key }: { key: NewKey }) => keyInsertion(db, key, maxKeys),
})

const insertKeyWithToken = recordedInsertion({
  kind: 'key.added',
  idFact: 'keyId',
  insert: (db, { key, token }: { key: NewKey; token: TokenAtTime }) =>
    keyInsertion(db, key, maxKeys, isTokenUsable(db, token)),
})

/**
 * Adds an SSH key for the caller.
 * @throws {DomainError} notFound if key management is off for the caller's kind of login; unprocessable if the text is
 * not an acceptable public key, the key or title is in use, the expiration date is in the past, or the caller has
 * 1,000 keys.
 */
export async function addKey(ctx: UserCtx, input: AddKeyInput): Promise<PublicKey> {
  return await add(ctx, ctx.caller.user, input)
}

/**
 * Adds an SSH key for a person, on behalf of an administrator.
 * @throws {DomainError} notFound if key management is off for the caller's kind of login; unprocessable if the text is
 * not an acceptable public key, the key or title is in use, the expiration date is in the past, or the person has
 * 1,000 keys.
 */
export async function addKeyFor(ctx: AdminCtx, owner: Account, input: AddKeyInput): Promise<PublicKey> {
  return await add(ctx, owner, input)
}

async function add(ctx: UserCtx, owner: Account, input: AddKeyInput): Promise<PublicKey> {
  requireKeyManagement(ctx)
  const { content, fingerprint } = parsePublicKey(input.key)
  const expires_at = parseExpiry(ctx, 'key', input.expires_at)
  const key = { owner_id: owner.id, title: input.title, content, fingerprint, expires_at }
  const event = {
    ownerId: owner.id,
    facts: { title: input.title, fingerprint, expiresAt: expires_at?.toISOString() ?? null },
  }
  const token = confirmingToken(ctx)
  try {
    // A single statement is much faster than a transaction, which says why nothing was inserted.
    const added =
      (token && (await insertKeyWithToken(ctx.db, originOf(ctx), { key, token }, event))) ??
      (await withTransaction(ctx.db, async trx => {
        await confirmCaller(ctx, trx)
        return await insertKey(trx, originOf(ctx), { key }, event)
      }))
    if (!added) throw tooManyKeys()
    return viewKey(ctx, added, owner)
  } catch (error) {
    if (!uniqueViolation(error)) throw mapForeignKeyError(error)
    throw await explainDuplicate(ctx, owner, { fingerprint, title: input.title }, error)
  }
}

const tooManyKeys = (): DomainError =>
  unprocessable(`An account can have at most ${maxKeys} SSH keys. Delete one that is no longer used.`, {
    reason: { code: 'tooMany', what: 'keys', most: maxKeys },
  })

// Names the violated unique index and, as far as the owner can know, the conflicting entry.
async function explainDuplicate(
  ctx: UserCtx,
  owner: Account,
  { fingerprint, title }: { fingerprint: string; title: string },
  cause: unknown,
): Promise<DomainError> {
  const [same] = await selectKeysByFingerprint(ctx.db, fingerprint)
  if (!same) {
    return unprocessable('Key title has been used', {
      field: 'title',
      reason: { code: 'nameTaken', what: 'key', name: title },
      cause,
    })
  }
  if (same.type === 'deploy') {
    return unprocessable('Key content has been used as a deploy key; generate a new key for your account', {
      field: 'key',
      reason: { code: 'keyOfOtherKind', kind: 'deploy' },
      cause,
    })
  }
  const hasExpired = same.expires_at !== null && same.expires_at <= ctx.clock.now()
  const [where, reason]: [string, Reason] =
    same.owner_id === owner.id
      ? [
          `: it has already been added as "${same.title}"${hasExpired ? ', which has expired: delete that one first' : ''}`,
          { code: 'keyTaken', title: same.title },
        ]
      : [': it belongs to another account', { code: 'keyTaken', title: null }]
  return unprocessable(`Key content has been used as non-deploy key${where}`, {
    field: 'key',
    reason,
    cause,
  })
}
