import { type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { DeployKeysTable } from '@/db/tables/deploy-keys'
import type { KeyMode } from '@/db/tables/public-keys'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { SshKey } from '../ssh/parse'

/** A key of one repository, with the text of the key itself. */
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
}

const matching = (db: Db, { repositoryId, keyId, fingerprint }: DeployKeysOf) => {
  const all = db
    .selectFrom('deploy_keys')
    .innerJoin('public_keys', 'public_keys.id', 'deploy_keys.key_id')
    .where('deploy_keys.repository_id', '=', repositoryId)
  const ofKey = keyId === undefined ? all : all.where('deploy_keys.key_id', '=', keyId)
  return fingerprint === undefined ? ofKey : ofKey.where('public_keys.fingerprint', '=', fingerprint)
}

/** A page of a repository's keys by age, with their total. */
export function selectDeployKeys(
  db: Db,
  of: DeployKeysOf,
  page: PageRequest,
  order: 'oldestFirst' | 'newestFirst',
): Promise<(DeployKeyRow & { total: number })[]> {
  return matching(db, of)
    .select([...columns, windowTotal])
    .orderBy('deploy_keys.id', order === 'newestFirst' ? 'desc' : 'asc')
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
 * Finds the row of a key, or inserts it without title and comment, and locks it: until the transaction ends it is not deleted
 * with the last repository that has it. Undefined when the key is a person's.
 */
export async function lockSharedKey(
  trx: Transaction<Database>,
  { content, fingerprint }: Pick<SshKey, 'content' | 'fingerprint'>,
): Promise<{ id: number; content: string } | undefined> {
  // The repositories may belong to people who know nothing of each other, and everyone who is signed in may read this row.
  const withoutComment = content.split(' ', 2).join(' ')
  return await trx
    .insertInto('public_keys')
    .values({ owner_id: null, title: '', content: withoutComment, fingerprint, type: 'deploy', mode: 'read' })
    .onConflict(conflict =>
      conflict
        .column('fingerprint')
        // As the index has it: with a parameter it would not be recognized.
        .where(sql<SqlBool>`type <> 'principal'`)
        // Only an update locks the row that is there; a key that is deleted meanwhile is inserted again.
        .doUpdateSet({ fingerprint })
        .where('public_keys.type', '=', 'deploy'),
    )
    .returning(['id', 'content'])
    .executeTakeFirst()
}

/** What a repository has already that a new key would repeat: the key itself first. */
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

/** Deletes a key of one repository; the key itself goes with its last repository. */
export async function deleteDeployKey(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('deploy_keys').where('id', '=', id).execute()
}

/** Locks the repositories that have this key and gives their ids. This comes before the key itself is locked. */
export async function lockRepositoriesOfKey(
  trx: Transaction<Database>,
  keyId: number,
): Promise<ReadonlySet<number>> {
  const rows = await trx
    .selectFrom('repositories')
    .select('id')
    .where('id', 'in', trx.selectFrom('deploy_keys').select('repository_id').where('key_id', '=', keyId))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.map(row => row.id))
}

interface Deployment extends DeployKeyRow {
  repository_id: number
  owner_id: number
}

/** Every repository that has this key. */
export function selectDeployments(trx: Transaction<Database>, keyId: number): Promise<Deployment[]> {
  return trx
    .selectFrom('deploy_keys')
    .innerJoin('public_keys', 'public_keys.id', 'deploy_keys.key_id')
    .innerJoin('repositories', 'repositories.id', 'deploy_keys.repository_id')
    .select([...columns, 'repositories.id as repository_id', 'repositories.owner_id'])
    .where('deploy_keys.key_id', '=', keyId)
    .orderBy('deploy_keys.id')
    .execute()
}
