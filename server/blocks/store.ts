import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/auth/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/** A page of the people one person blocks, oldest block first. */
export function selectBlocked(
  db: Db,
  blockerId: number,
  page: PageRequest,
): Promise<(Account & { total: number })[]> {
  return db
    .selectFrom('user_blocks')
    .innerJoin('users', 'users.id', 'user_blocks.blocked_id')
    .select([...accountColumns, sql<number>`count(*) over ()`.as('total')])
    .where('user_blocks.blocker_id', '=', blockerId)
    .orderBy('user_blocks.blocked_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export async function countBlocked(db: Db, blockerId: number): Promise<number> {
  const row = await db
    .selectFrom('user_blocks')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('blocker_id', '=', blockerId)
    .executeTakeFirstOrThrow()
  return row.count
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

/** Tells whether the block is new. */
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
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
}

/** Tells whether there was a block. */
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
  return Number(result.numDeletedRows) > 0
}
