import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import { readEvent, type StoredEvent } from '@/server/events'
import type { RepositoryRow } from '../store'

/** Marks a push as recorded. Returns false if it was already recorded. */
export async function insertRecordedPush(trx: Transaction<Database>, key: string): Promise<boolean> {
  const inserted = await trx
    .insertInto('recorded_pushes')
    .values({ key })
    .onConflict(conflict => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The repository columns that a push changes. */
export interface PushedState {
  size_kib: number
  branch_count: number
  tag_count: number
  is_empty: boolean
  default_branch: string
  pushed_at: Date
  updated_at: Date
}

/**
 * Updates a repository to its state after a push, unless another push, a new default branch or a transfer was
 * stored since `row` was read (optimistic locking). Returns whether the repository was updated.
 */
export async function updateIfUnchanged(
  trx: Transaction<Database>,
  row: RepositoryRow,
  state: PushedState,
): Promise<boolean> {
  const result = await trx
    .updateTable('repositories')
    .set(state)
    .where('id', '=', row.id)
    .where('owner_id', '=', row.owner_id)
    .where('default_branch', '=', row.default_branch)
    .where('branch_count', '=', row.branch_count)
    .where('tag_count', 'is not distinct from', row.tag_count)
    .where('is_empty', '=', row.is_empty)
    .where('size_kib', '=', row.size_kib)
    .where('pushed_at', 'is not distinct from', row.pushed_at)
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/** Selects the repository's events since a time, newest first, at most 5,000. */
export async function selectEventsSince(db: Db, repositoryId: number, since: Date): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['kind', 'data'])
    .where('repository_id', '=', repositoryId)
    .where('created_at', '>=', since)
    .orderBy('id', 'desc')
    .limit(5000)
    .execute()
  return rows.flatMap(row => readEvent(row) ?? [])
}

/**
 * Finds a repository's deploy key by the ID of its public key; undefined if the key was removed from the
 * repository.
 */
export async function findDeployKey(
  db: Db,
  repositoryId: number,
  keyId: number,
): Promise<{ id: number; title: string } | undefined> {
  return await db
    .selectFrom('deploy_keys')
    .select(['id', 'title'])
    .where('repository_id', '=', repositoryId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
}
