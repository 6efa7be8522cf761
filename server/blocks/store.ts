import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/** A page of the people one account blocks, oldest account first. */
export function selectBlocked(db: Db, blockerId: number, page: PageRequest): Promise<Account[]> {
  return db
    .selectFrom('user_blocks')
    .innerJoin('users', 'users.id', 'user_blocks.blocked_id')
    .select(accountColumns)
    .where('user_blocks.blocker_id', '=', blockerId)
    .orderBy('user_blocks.blocked_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countBlocked(db: Db, blockerId: number): Promise<number> {
  return countRows(db.selectFrom('user_blocks').where('blocker_id', '=', blockerId))
}

export async function isBlocking(db: Db, blockerId: number, blockedId: number): Promise<boolean> {
  const row = await db
    .selectFrom('user_blocks')
    .select('blocked_id')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * True if the person blocks any of these accounts, or one of these the person. A site administrator cannot be
 * blocked: for one only their own blocks count.
 */
export async function isBlockedBetween(
  db: Db,
  accountIds: readonly number[],
  personId: number,
): Promise<boolean> {
  return (await selectBlockedBetween(db, accountIds, [personId])).has(personId)
}

/** Those of these people between whom and any of these accounts a block stands, in the sense of `isBlockedBetween`. */
export async function selectBlockedBetween(
  db: Db,
  accountIds: readonly number[],
  personIds: readonly number[],
): Promise<Set<number>> {
  const accounts = anyOf(accountIds)
  const people = anyOf(personIds)
  const rows = await db
    .selectFrom('user_blocks')
    .select('blocker_id as id')
    .where('blocker_id', '=', people)
    .where('blocked_id', '=', accounts)
    .unionAll(
      db
        .selectFrom('user_blocks')
        .innerJoin('users as blocked', 'blocked.id', 'user_blocks.blocked_id')
        .select('blocked_id as id')
        .where('blocker_id', '=', accounts)
        .where('blocked_id', '=', people)
        .where('blocked.is_admin', '=', false),
    )
    .execute()
  return new Set(rows.map(row => row.id))
}

/** Those of these people whom this account blocks. */
export async function selectBlockedAmong(
  db: Db,
  blockerId: number,
  personIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('user_blocks')
    .select('blocked_id')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', anyOf(personIds))
    .execute()
  return new Set(rows.map(row => row.blocked_id))
}

/** Returns false when the block was there already. */
export async function insertBlock(
  trx: Transaction<Database>,
  blockerId: number,
  blockedId: number,
  note: string,
): Promise<boolean> {
  const result = await trx
    .insertInto('user_blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId, note })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/** Returns false when there was no block. */
export async function deleteBlock(
  trx: Transaction<Database>,
  blockerId: number,
  blockedId: number,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('user_blocks')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  return affectedRows(result) > 0
}
