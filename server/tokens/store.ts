import { type Insertable, type Selectable, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, likePattern, oneOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { AccessTokensTable } from '@/db/tables/access-tokens'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { BrowseTokensInput } from './schema'

/** A token without its hash, which only authentication selects. */
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

/** Filter and order of one person's tokens. A text matches a part of the name, or the last eight characters. */
export type TokensWanted = Pick<BrowseTokensInput, 'q' | 'sort'>

const matching = (db: Db, userId: number, q: string) => {
  const all = db.selectFrom('access_tokens').where('user_id', '=', userId)
  if (q === '') return all
  return all.where(eb =>
    eb.or([eb(sql<string>`lower(name)`, 'like', likePattern(q)), eb('token_last_eight', '=', q)]),
  )
}

/** Selects a page of one person's tokens. The maximum number of tokens limits what this reads. */
export function selectTokens(
  db: Db,
  userId: number,
  { q, sort }: TokensWanted,
  page: PageRequest,
): Promise<(TokenRow & { total: number })[]> {
  let query = matching(db, userId, q).select([...tokenColumns, windowTotal])
  if (sort === 'name') query = query.orderBy(sql`lower(name)`)
  if (sort === 'used') query = query.orderBy('last_used_at', order => order.desc().nullsLast())
  if (sort === 'expires') query = query.orderBy('expires_at', order => order.asc().nullsLast())
  return query.orderBy('id', 'desc').limit(page.limit).offset(offsetOf(page)).execute()
}

export function countTokens(db: Db, userId: number, q = ''): Promise<number> {
  return countRows(matching(db, userId, q))
}

export function insertToken(
  trx: Transaction<Database>,
  token: Insertable<AccessTokensTable>,
): Promise<TokenRow> {
  return trx.insertInto('access_tokens').values(token).returning(tokenColumns).executeTakeFirstOrThrow()
}

/** Selects tokens by name and, if the text is a number, by ID. A token can be named like the ID of another. */
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

/** Deletes all tokens of one person, or those of the given tokens that are theirs. Returns them, oldest first. */
export async function deleteTokens(
  trx: Transaction<Database>,
  userId: number,
  ids: readonly number[] | 'all',
): Promise<{ id: number; name: string }[]> {
  const theirs = trx.selectFrom('access_tokens').select('id').where('user_id', '=', userId)
  const selected = ids === 'all' ? theirs : theirs.where('id', '=', oneOf(ids))
  // Locked in one order, so that no two deletions wait for each other.
  const inOrder = selected.orderBy('id').forUpdate()
  const deletion = trx.deleteFrom('access_tokens').where('id', 'in', inOrder).returning(['id', 'name'])
  return (await deletion.execute()).sort((one, other) => one.id - other.id)
}
