import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { AccessTokensTable } from '@/db/tables/access-tokens'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/** A token without its hash, which nothing but the sign-in check ever selects. */
export type TokenRow = Omit<Selectable<AccessTokensTable>, 'token_hash'>

const tokenColumns = [
  'id',
  'user_id',
  'name',
  'token_last_eight',
  'scopes',
  'created_at',
  'last_used_at',
  'expires_at',
] as const

export function selectTokens(
  db: Db,
  userId: number,
  page: PageRequest,
): Promise<(TokenRow & { total: number })[]> {
  return db
    .selectFrom('access_tokens')
    .select([...tokenColumns, windowTotal])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countTokens(db: Db, userId: number): Promise<number> {
  return countRows(db.selectFrom('access_tokens').where('user_id', '=', userId))
}

export function insertToken(
  trx: Transaction<Database>,
  token: Insertable<AccessTokensTable>,
): Promise<TokenRow> {
  return trx.insertInto('access_tokens').values(token).returning(tokenColumns).executeTakeFirstOrThrow()
}

/** By name, and by id when the text is a number; a token may be named like another's id. */
export function selectMatchingTokens(
  trx: Transaction<Database>,
  userId: number,
  idOrName: string,
): Promise<TokenRow[]> {
  const id = /^\d{1,15}$/.test(idOrName) ? Number(idOrName) : undefined
  return trx
    .selectFrom('access_tokens')
    .select(tokenColumns)
    .where('user_id', '=', userId)
    .where(eb =>
      id === undefined ? eb('name', '=', idOrName) : eb.or([eb('name', '=', idOrName), eb('id', '=', id)]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Deletes all tokens of one person. */
export function deleteTokensOf(
  trx: Transaction<Database>,
  userId: number,
): Promise<{ id: number; name: string }[]> {
  return trx.deleteFrom('access_tokens').where('user_id', '=', userId).returning(['id', 'name']).execute()
}

export async function deleteToken(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('access_tokens').where('id', '=', id).execute()
}
