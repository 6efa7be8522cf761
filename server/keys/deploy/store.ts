import { type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, oneOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { DeployKeysTable } from '@/db/tables/deploy-keys'
import type { KeyMode } from '@/db/tables/public-keys'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { hasText } from '../has-text'
import type { SshKey } from '../ssh/parse'

/** Database row of a repository's deploy key, joined with the public key and its fingerprint. */
export interface DeployKeyRow
  extends Pick<
    Selectable<DeployKeysTable>,
    'id' | 'key_id' | 'title' | 'mode' | 'created_at' | 'expires_at' | 'last_used_at' | 'last_used_address'
  > {
  content: string
  fingerprint: string
}

const columns = [
  'deploy_keys.id',
  'deploy_keys.key_id',
  'deploy_keys.title',
  'deploy_keys.mode',
  'deploy_keys.created_at',
  'deploy_keys.expires_at',
  'deploy_keys.last_used_at',
  'deploy_keys.last_used_address',
  'public_keys.content',
  'public_keys.fingerprint',
] as const

export interface DeployKeysOf {
  repositoryId: number
  keyId?: number | undefined
  fingerprint?: string | undefined
  /** See `hasText`. */
  q?: string
}

const matching = (db: Db, { repositoryId, keyId, fingerprint, q = '' }: DeployKeysOf) => {
  const all = db
    .selectFrom('deploy_keys')
    .innerJoin('public_keys', 'public_keys.id', 'deploy_keys.key_id')
    .where('deploy_keys.repository_id', '=', repositoryId)
  const ofKey = keyId === undefined ? all : all.where('deploy_keys.key_id', '=', keyId)
  const found = fingerprint === undefined ? ofKey : ofKey.where('public_keys.fingerprint', '=', fingerprint)
  return q === '' ? found : found.where(hasText('deploy_keys.title', q))
}

/**
 * Selects a page of a repository's deploy keys, with the total count. Reads all keys of the repository, of
 * which there are at most 100.
 */
export function selectDeployKeys(
  db: Db,
  of: DeployKeysOf,
  sort: 'oldest' | 'newest' | 'name' | 'used',
  page: PageRequest,
): Promise<(DeployKeyRow & { total: number })[]> {
  let query = matching(db, of).select([...columns, windowTotal])
  if (sort === 'name') query = query.orderBy(sql`lower(deploy_keys.title)`)
  if (sort === 'used') query = query.orderBy('deploy_keys.last_used_at', order => order.desc().nullsLast())
  return query
    .orderBy('deploy_keys.id', sort === 'oldest' ? 'asc' : 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countDeployKeys(db: Db, of: DeployKeysOf): Promise<number> {
  return countRows(matching(db, of))
}

export function findDeployKey(db: Db, repositoryId: number, id: number): Promise<DeployKeyRow | undefined> {
  return matching(db, { repositoryId }).select(columns).where('deploy_keys.id', '=', id).executeTakeFirst()
}

/**
 * Finds the row of a public key for use as a deploy key, or inserts it without title and comment, and locks
 * it until the transaction ends. The lock prevents the row from being deleted when another repository removes
 * the key. Undefined if the key belongs to a person's account.
 */
export async function lockSharedKey(
  trx: Transaction<Database>,
  { content, fingerprint }: Pick<SshKey, 'content' | 'fingerprint'>,
): Promise<{ id: number; content: string } | undefined> {
  // The row has no title or comment, because every signed-in person can read it, and the repositories may belong to
  // people who do not know each other.
  const withoutComment = content.split(' ', 2).join(' ')
  return await trx
    .insertInto('public_keys')
    .values({ owner_id: null, title: '', content: withoutComment, fingerprint, type: 'deploy', mode: 'read' })
    .onConflict(conflict =>
      conflict
        .column('fingerprint')
        // A literal, as in the index: PostgreSQL would not recognize the condition with a parameter.
        .where(sql<SqlBool>`type <> 'principal'`)
        // Only an update locks an existing row. A key that is deleted meanwhile is inserted again.
        .doUpdateSet({ fingerprint })
        .where('public_keys.type', '=', 'deploy'),
    )
    .returning(['id', 'content'])
    .executeTakeFirst()
}

/**
 * Finds a deploy key of a repository that conflicts with a new one because it has the same public key or
 * title. Prefers one with the same public key.
 */
export async function findRepeated(
  trx: Transaction<Database>,
  repositoryId: number,
  { keyId, title }: { keyId: number; title: string },
): Promise<{ key_id: number; title: string } | undefined> {
  return await trx
    .selectFrom('deploy_keys')
    .select(['key_id', 'title'])
    .where('repository_id', '=', repositoryId)
    .where(eb => eb.or([eb('key_id', '=', keyId), eb('title', '=', title)]))
    .orderBy(sql`key_id = ${keyId}`, 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function insertDeployKey(
  trx: Transaction<Database>,
  key: { repository_id: number; key_id: number; title: string; mode: KeyMode; expires_at: Date | null },
): Promise<Omit<DeployKeyRow, 'content' | 'fingerprint'>> {
  return trx
    .insertInto('deploy_keys')
    .values(key)
    .returning([
      'id',
      'key_id',
      'title',
      'mode',
      'created_at',
      'expires_at',
      'last_used_at',
      'last_used_address',
    ])
    .executeTakeFirstOrThrow()
}

/** Selects those of the given keys that the repository has, oldest first. */
export function selectDeployKeysAmong(
  trx: Transaction<Database>,
  repositoryId: number,
  ids: readonly number[],
): Promise<DeployKeyRow[]> {
  return matching(trx, { repositoryId })
    .select(columns)
    .where('deploy_keys.id', '=', oneOf(ids))
    .orderBy('deploy_keys.id')
    .execute()
}

/**
 * Deletes deploy keys from their repositories. When the last repository with a public key removes it, a
 * database trigger deletes the public key.
 */
export async function deleteDeployKeys(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('deploy_keys').where('id', '=', oneOf(ids)).execute()
}

/**
 * Locks the repositories that have any of these public keys as deploy keys, and returns the IDs of the
 * repositories. Must be called before a public key itself is locked.
 */
export async function lockRepositoriesOfKeys(
  trx: Transaction<Database>,
  keyIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await trx
    .selectFrom('repositories')
    .select('id')
    .where(
      'id',
      'in',
      trx.selectFrom('deploy_keys').select('repository_id').where('key_id', '=', oneOf(keyIds)),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.map(row => row.id))
}

interface Deployment extends DeployKeyRow {
  repository_id: number
  owner_id: number
}

/** Selects every repository that has one of these keys, once per key. */
export function selectDeployments(
  trx: Transaction<Database>,
  keyIds: readonly number[],
): Promise<Deployment[]> {
  return trx
    .selectFrom('deploy_keys')
    .innerJoin('public_keys', 'public_keys.id', 'deploy_keys.key_id')
    .innerJoin('repositories', 'repositories.id', 'deploy_keys.repository_id')
    .select([...columns, 'repositories.id as repository_id', 'repositories.owner_id'])
    .where('deploy_keys.key_id', '=', oneOf(keyIds))
    .orderBy('deploy_keys.id')
    .execute()
}
