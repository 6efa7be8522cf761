import {
  type Compilable,
  type Expression,
  type Selectable,
  type SqlBool,
  sql,
  type Transaction,
} from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { anyOf, countRows, oneOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { PublicKeysTable } from '@/db/tables/public-keys'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { hasText } from './has-text'

export type KeyRow = Selectable<PublicKeysTable>
export type CountedKeyRow = KeyRow & { total: number }

const keyColumns = [
  'public_keys.id',
  'public_keys.owner_id',
  'public_keys.title',
  'public_keys.content',
  'public_keys.fingerprint',
  'public_keys.type',
  'public_keys.login_source_id',
  'public_keys.created_at',
  'public_keys.last_used_at',
  'public_keys.last_used_address',
  'public_keys.expires_at',
] as const

// Each repository of a deploy key says whether the key can write. This says whether any of them does.
const highestMode = sql<KeyRow['mode']>`case when public_keys.type <> 'deploy' then public_keys.mode
  when exists (select from deploy_keys where deploy_keys.key_id = public_keys.id and deploy_keys.mode = 'write')
  then 'write' else 'read' end`.as('mode')

// Principals are not keys of a person, although they are in the same table.
const ownKeys = (db: Db, ownerId: number) =>
  db.selectFrom('public_keys').where('owner_id', '=', ownerId).where('type', '<>', 'principal')

const currentKeys = (db: Db, ownerId: number, now: Date) =>
  ownKeys(db, ownerId).where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))

/**
 * Search text and sort order for listing the SSH keys of one owner. The text `q` is matched by `hasText`
 * against titles and fingerprints; an empty text matches all keys.
 */
export interface KeysWanted {
  q: string
  sort: 'oldest' | 'newest' | 'name' | 'used'
}

const matchingKeys = (db: Db, ownerId: number, q: string) => {
  const all = ownKeys(db, ownerId)
  return q === '' ? all : all.where(hasText('public_keys.title', q))
}

/**
 * Selects a page of one owner's SSH keys, without certificate principals (login names in SSH certificates).
 * Reads all keys of the owner, whose number is limited.
 */
export function selectOwnKeys(
  db: Db,
  ownerId: number,
  wanted: KeysWanted,
  page: PageRequest,
): Promise<CountedKeyRow[]> {
  const { limit } = page
  const offset = offsetOf(page)
  if (wanted.q === '' && wanted.sort === 'oldest') return selectOldestKeys(db, { ownerId, limit, offset })
  return keysPage(db, ownerId, wanted, { limit, offset }).execute()
}

// The order of the API, whose programs ask most often.
const selectOldestKeys = fixedQuery(
  (db, { ownerId, limit, offset }: { ownerId: number; limit: number; offset: number }) =>
    keysPage(db, ownerId, { q: '', sort: 'oldest' }, { limit, offset }),
)

function keysPage(
  db: Db,
  ownerId: number,
  { q, sort }: KeysWanted,
  { limit, offset }: { limit: number; offset: number },
) {
  let query = matchingKeys(db, ownerId, q)
    .modifyFront(prepared)
    .select([...keyColumns, 'public_keys.mode', windowTotal])
  if (sort === 'name') query = query.orderBy(sql`lower(title)`)
  if (sort === 'used') query = query.orderBy('last_used_at', order => order.desc().nullsLast())
  return query
    .orderBy('id', sort === 'oldest' ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
}

export function countOwnKeys(db: Db, ownerId: number, q: string): Promise<number> {
  return countRows(matchingKeys(db, ownerId, q))
}

/** Selects every key with this fingerprint, optionally only those of one owner. */
export function selectKeysByFingerprint(db: Db, fingerprint: string, ownerId?: number): Promise<KeyRow[]> {
  let query = db
    .selectFrom('public_keys')
    .select([...keyColumns, highestMode])
    .where('fingerprint', '=', fingerprint)
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId)
  return query.orderBy('id').execute()
}

export function findKey(db: Db, id: number): Promise<KeyRow | undefined> {
  return db
    .selectFrom('public_keys')
    .select([...keyColumns, highestMode])
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface LockedKey extends KeyRow {
  /** Whether the directory that the key was imported from also manages it. */
  externally_managed: boolean
}

/** Locks the SSH keys with these IDs, regardless of their owner, and returns the rows that exist. */
export async function lockKeys(trx: Transaction<Database>, ids: readonly number[]): Promise<LockedKey[]> {
  const rows = await locking(trx).where('public_keys.id', '=', oneOf(ids)).orderBy('public_keys.id').execute()
  return rows.map(lockedKey)
}

/**
 * Locks and returns all SSH keys of one person, oldest first, without certificate principals (login names in
 * SSH certificates).
 */
export async function lockKeysOf(trx: Transaction<Database>, ownerId: number): Promise<LockedKey[]> {
  const rows = await locking(trx)
    .where('public_keys.owner_id', '=', ownerId)
    .where('public_keys.type', '<>', 'principal')
    .orderBy('public_keys.id')
    .execute()
  return rows.map(lockedKey)
}

const locking = (trx: Transaction<Database>) =>
  trx
    .selectFrom('public_keys')
    .leftJoin('login_sources', 'login_sources.id', 'public_keys.login_source_id')
    .select([...keyColumns, 'public_keys.mode', 'login_sources.provides_ssh_keys'])
    .forUpdate('public_keys')

const lockedKey = ({
  provides_ssh_keys,
  ...key
}: KeyRow & { provides_ssh_keys: boolean | null }): LockedKey => ({
  ...key,
  externally_managed: provides_ssh_keys ?? false,
})

export interface NewKey {
  owner_id: number
  title: string
  content: string
  fingerprint: string
  expires_at: Date | null
}

/**
 * Returns the statement that inserts a key unless its owner already has `max` keys. Keys that are added
 * concurrently can exceed the maximum by a few.
 */
export function keyInsertion(
  db: Db,
  key: NewKey,
  max: number,
  condition?: Expression<SqlBool>,
): Compilable<KeyRow> {
  const held = ownKeys(db, key.owner_id).select(sql<number>`count(*)`.as('count'))
  const values = Object.entries(key).map(([column, value]) => sql.val(value).as(column))
  return db
    .insertInto('public_keys')
    .columns(Object.keys(key) as (keyof typeof key)[])
    .expression(
      db
        .selectNoFrom(values)
        .where(held, '<', max)
        .$if(condition !== undefined, query => query.where(condition as Expression<SqlBool>)),
    )
    .returning([...keyColumns, 'public_keys.mode'])
}

export async function deleteKeys(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('public_keys').where('id', '=', anyOf(ids)).execute()
}

/** Returns whether a person has a key that has not expired. */
export async function hasCurrentKey(db: Db, ownerId: number, now: Date): Promise<boolean> {
  const row = await currentKeys(db, ownerId, now).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** Selects the text of each of a person's unexpired keys, oldest first. */
export async function selectKeyTexts(db: Db, ownerId: number, now: Date): Promise<string[]> {
  const rows = await currentKeys(db, ownerId, now).select('content').orderBy('id').execute()
  return rows.map(row => row.content)
}

interface KeyUse {
  now: Date
  /** Uses are recorded only for keys that were last used before this time. */
  before: Date
  address: string
}

/**
 * Records the use of a key. Returns false if a recent use is already recorded or the key no longer exists.
 */
export async function updateKeyUse(db: Db, id: number, { now, before, address }: KeyUse): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('public_keys')
    .set({ last_used_at: now, last_used_address: address })
    .where('id', '=', id)
    .where(eb => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', before)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Records the use of a deploy key for one repository. Returns false if a recent use is already recorded or
 * the key grants no access to the repository.
 */
export async function updateDeployKeyUse(
  db: Db,
  { keyId, repositoryId }: { keyId: number; repositoryId: number },
  { now, before, address }: KeyUse,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deploy_keys')
    .set({ last_used_at: now, last_used_address: address })
    .where('key_id', '=', keyId)
    .where('repository_id', '=', repositoryId)
    .where(eb => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', before)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
