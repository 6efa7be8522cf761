import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/** Returns a page of the people that an account has blocked, sorted by account ID. */
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
 * Returns whether the person has blocked any of these accounts, or any of them has blocked the person. Site
 * administrators cannot be blocked, so only blocks that they created count.
 */
export async function isBlockedBetween(
  db: Db,
  accountIds: readonly number[],
  personId: number,
): Promise<boolean> {
  return (await selectBlockedBetween(db, accountIds, [personId])).has(personId)
}

/**
 * Returns the IDs of these people who have blocked one of the accounts or are blocked by one of them. Site
 * administrators cannot be blocked, so only blocks that they created count.
 */
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

/** Returns the IDs of these people who are blocked by this account. */
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

/** Inserts a block. Returns false if the person was already blocked. */
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

/** Deletes a block. Returns false if the person was not blocked. */
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
