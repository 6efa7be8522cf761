import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { type Account, accountColumns } from '@/server/kernel/account'
import type { Scope } from '@/server/kernel/scopes'
import { hashSecret } from './secret-token'

export interface TokenHolder {
  user: Account
  tokenId: number
  scopes: readonly Scope[]
  /** Null when it does not expire. */
  expiresAt: Date | null
}

const accessToken = /^[0-9a-f]{40}$/

/**
 * Finds who holds this personal access token, unless its time is over; the lookup is by hash, so its timing tells nothing
 * of the secret.
 */
export async function findTokenHolder(db: Db, secret: string, now: Date): Promise<TokenHolder | undefined> {
  if (!accessToken.test(secret)) return undefined
  const row = await holders(db, now)
    .where('access_tokens.token_hash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (!row) return undefined
  if (isStale(row.token_last_used_at, now)) await recordUse(db, row.token_id, now)
  return holderOf(row)
}

/** Finds once more who holds a token, unless it is deleted or its time is over. */
export async function findTokenHolderById(db: Db, id: number, now: Date): Promise<TokenHolder | undefined> {
  const row = await holders(db, now).where('access_tokens.id', '=', id).executeTakeFirst()
  return row && holderOf(row)
}

const holders = (db: Db, now: Date) =>
  db
    .selectFrom('access_tokens')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select([
      ...accountColumns,
      'access_tokens.id as token_id',
      'access_tokens.scopes as token_scopes',
      'access_tokens.last_used_at as token_last_used_at',
      'access_tokens.expires_at as token_expires_at',
    ])
    .where(eb =>
      eb.or([eb('access_tokens.expires_at', 'is', null), eb('access_tokens.expires_at', '>', now)]),
    )

type HolderRow = Awaited<ReturnType<ReturnType<typeof holders>['executeTakeFirstOrThrow']>>

function holderOf({
  token_id: tokenId,
  token_scopes: scopes,
  token_last_used_at: _,
  token_expires_at: expiresAt,
  ...user
}: HolderRow): TokenHolder {
  return { user, tokenId, scopes: scopes as Scope[], expiresAt }
}

// "Last used" is for people: to the minute is enough, and a write on every call would halve the rate.
const isStale = (lastUsedAt: Date | null, now: Date): boolean =>
  !lastUsedAt || now.getTime() - lastUsedAt.getTime() > 60_000

async function recordUse(db: Db, tokenId: number, now: Date): Promise<void> {
  await db.updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', tokenId).execute()
}
