import { type Insertable, type SelectQueryBuilder, sql, type Transaction, type Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { UsersTable } from '@/db/tables/users'
import { type Account, accountColumns } from '@/server/kernel/account'

export async function anyUserExists(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').modifyFront(prepared).select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

export function insertUser(trx: Transaction<Database>, user: Insertable<UsersTable>): Promise<Account> {
  return trx.insertInto('users').values(user).returning(accountColumns).executeTakeFirstOrThrow()
}

/**
 * Updates an account and its modification time. Returns the new row, or undefined if the account was deleted.
 */
export function updateUser(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<UsersTable>,
): Promise<Account | undefined> {
  return (
    trx
      .updateTable('users')
      // The trigger that sets this column does not know about columns that were added after it.
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returning(accountColumns)
      .executeTakeFirst()
  )
}

/** Locks an account until the end of the transaction and returns it; undefined if it was deleted. */
export function lockUser(trx: Transaction<Database>, id: number): Promise<Account | undefined> {
  return (
    trx
      .selectFrom('users')
      .select(accountColumns)
      .where('id', '=', id)
      // Not FOR UPDATE, so that inserting an event that refers to the account does not wait for this lock.
      .forNoKeyUpdate()
      .executeTakeFirst()
  )
}

/** Returns the accounts with these IDs. Deleted accounts are absent from the map. */
export async function selectAccounts(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  if (ids.length === 0) return new Map()
  const rows = await accountsById(db, { ids: [...new Set(ids)] })
  return new Map(rows.map(row => [row.id, row]))
}

const accountsById = fixedQuery((db, { ids }: { ids: number[] }) =>
  db.selectFrom('users').modifyFront(prepared).select(accountColumns).where('users.id', '=', anyOf(ids)),
)

/**
 * Returns the people who have one of these lowercase email addresses and show it, and the people with these
 * IDs.
 */
export const selectAccountsByEmail: (
  db: Db,
  wanted: { emails: readonly string[]; ids: readonly number[] },
) => Promise<Account[]> = fixedQuery(
  (db, { emails, ids }: { emails: readonly string[]; ids: readonly number[] }) =>
    db
      .selectFrom('users')
      .modifyFront(prepared)
      .select(accountColumns)
      .where('kind', '=', 'person')
      .where(eb =>
        eb.or([
          eb.and([
            eb(sql`lower(email)`, '=', sql<string>`any (${emails}::text[])`),
            eb('hide_email', '=', false),
          ]),
          eb('id', '=', anyOf(ids)),
        ]),
      ),
)

/**
 * Locks accounts that change, or that gain or lose repositories, until the end of the transaction. Returns
 * the IDs of those that exist. To prevent deadlocks, organizations are locked first, then people, both in the
 * order of their IDs, and all of them before any repository.
 */
export async function lockAccounts(
  trx: Transaction<Database>,
  ids: readonly (number | null)[],
): Promise<Set<number>> {
  const rows = await selectInOrder(trx, ids).forNoKeyUpdate().execute()
  return new Set(rows.map(row => row.id))
}

/**
 * Prevents accounts from being deleted until the end of the transaction, locking them in the order of
 * `lockAccounts`. Must be called for the acting account before a transaction locks a repository and then
 * records an event, because the deletion of an account also locks repositories.
 */
export async function keepAccounts(
  trx: Transaction<Database>,
  ids: readonly (number | null)[],
): Promise<void> {
  await selectInOrder(trx, ids).forKeyShare().execute()
}

const selectInOrder = (
  trx: Transaction<Database>,
  ids: readonly (number | null)[],
): SelectQueryBuilder<Database, 'users', { id: number }> =>
  trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyOf(ids.filter(id => id !== null)))
    .orderBy(sql`kind = 'person'`)
    .orderBy('id')

/**
 * Locks `personId` FOR UPDATE and `others` FOR KEY SHARE, in the order of their IDs, so that a concurrent
 * block either waits or is seen. Organizations must be locked first.
 */
export async function lockPeople(
  trx: Transaction<Database>,
  personId: number,
  others: readonly number[],
): Promise<void> {
  const ids = [...new Set([personId, ...others])].sort((one, other) => one - other)
  for (const id of ids) {
    const row = trx.selectFrom('users').select('id').where('id', '=', id)
    await (id === personId ? row.forUpdate() : row.forKeyShare()).execute()
  }
}
