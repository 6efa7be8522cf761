import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { accountColumns } from '@/server/kernel/account'
import type { Caller, UserCaller } from '@/server/kernel/caller'
import type { AuthCtx } from '@/server/kernel/ctx'
import type { Scope } from '@/server/kernel/scopes'
import { recordUse } from '../record-use'
import { hashSecret } from './secret-token'

const accessToken = /^[0-9a-f]{40}$/

/**
 * Finds the caller that an access token identifies, unless it is unknown or expired, and records its use to the minute. The
 * token is found by its hash, so the time this takes reveals nothing about it.
 */
export async function findTokenCaller(
  { db, clock }: Pick<AuthCtx, 'db' | 'clock'>,
  secret: string,
  { fromBasic }: { fromBasic: boolean },
): Promise<UserCaller | undefined> {
  if (!accessToken.test(secret)) return undefined
  const now = clock.now()
  const [row] = await holdersByHash(db, { now, hash: hashSecret(secret) })
  if (!row) return undefined
  if (isStale(row.token_last_used_at, now))
    await recordUse(db.updateTable('access_tokens').set({ last_used_at: now }).where('id', '=', row.token_id))
  return callerOf(row, fromBasic)
}

/** Finds the caller again by the ID of their access token; undefined if it was deleted or has expired. */
export async function recheckToken(
  { db, clock }: Pick<AuthCtx, 'db' | 'clock'>,
  caller: Caller,
): Promise<UserCaller | undefined> {
  if (caller.kind !== 'user' || caller.credential.kind !== 'token') return undefined
  const { tokenId, fromBasic } = caller.credential
  const [row] = await holdersById(db, { now: clock.now(), tokenId })
  return row && callerOf(row, fromBasic)
}

export interface TokenAtTime {
  tokenId: number
  now: Date
}

/**
 * Returns a condition that holds while a token is valid and the account that it belongs to can act. A statement with this
 * condition locks the account first and then the token, so it comes entirely before or entirely after a revocation.
 */
export function isTokenUsable(db: Db, { tokenId, now }: TokenAtTime): Expression<SqlBool> {
  const usable = validTokens(db, now)
    .where('access_tokens.id', '=', tokenId)
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false)
    .where('users.must_change_password', '=', false)
    // As in `confirmCaller`.
    .forShare(['users', 'access_tokens'])
  return sql`exists ${usable}`
}

const validTokens = (db: Db, now: Date) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .where(eb =>
      eb.or([eb('access_tokens.expires_at', 'is', null), eb('access_tokens.expires_at', '>', now)]),
    )

const holders = (db: Db, now: Date) =>
  validTokens(db, now)
    .modifyFront(prepared)
    .select([
      ...accountColumns,
      'access_tokens.id as token_id',
      'access_tokens.scopes as token_scopes',
      'access_tokens.last_used_at as token_last_used_at',
      'access_tokens.expires_at as token_expires_at',
    ])

const holdersByHash = fixedQuery((db, { now, hash }: { now: Date; hash: Buffer }) =>
  holders(db, now).where('access_tokens.token_hash', '=', hash),
)

const holdersById = fixedQuery((db, { now, tokenId }: TokenAtTime) =>
  holders(db, now).where('access_tokens.id', '=', tokenId),
)

type HolderRow = Awaited<ReturnType<ReturnType<typeof holders>['executeTakeFirstOrThrow']>>

function callerOf(row: HolderRow, fromBasic: boolean): UserCaller {
  const { token_id: tokenId, token_scopes, token_expires_at: expiresAt, token_last_used_at: _, ...user } = row
  const scopes = token_scopes as Scope[]
  return { kind: 'user', user, credential: { kind: 'token', tokenId, scopes, expiresAt, fromBasic } }
}

// People see the last use to the minute. A write for every call would halve the rate of calls.
const isStale = (lastUsedAt: Date | null, now: Date): boolean =>
  !lastUsedAt || now.getTime() - lastUsedAt.getTime() > 60_000
