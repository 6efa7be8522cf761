import { type Insertable, type SelectQueryBuilder, sql, type Transaction, type Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { UsersTable } from '@/db/tables/users'
import { type Account, accountColumns } from '@/server/kernel/account'

export async function anyUserExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export function insertUser(trx: Transaction<Database>, user: Insertable<UsersTable>): Promise<Account> {
  return trx.insertInto('users').values(user).returning(accountColumns).executeTakeFirstOrThrow()
}

/** Notes also when it was changed; undefined when the account is not there anymore. */
export function updateUser(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<UsersTable>,
): Promise<Account | undefined> {
  return (
    trx
      .updateTable('users')
      // The trigger that notes it knows the columns of its time alone.
      .set({ ...change, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .returning(accountColumns)
      .executeTakeFirst()
  )
}

/** An account as it is now, held until the transaction ends; undefined when it is gone. */
export function lockUser(trx: Transaction<Database>, id: number): Promise<Account | undefined> {
  return (
    trx
      .selectFrom('users')
      .select(accountColumns)
      .where('id', '=', id)
      // Not "for update": an event about the account refers to it, and must not wait for this lock.
      .forNoKeyUpdate()
      .executeTakeFirst()
  )
}

/** These accounts by id; those that are gone are absent. */
export async function selectAccounts(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(accountColumns)
    .where('users.id', '=', anyOf([...new Set(ids)]))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** People who show their address, by their addresses in lower case; and people by their ids. */
export async function selectNames(
  db: Db,
  { emails, ids }: { emails: readonly string[]; ids: readonly number[] },
): Promise<Pick<Account, 'id' | 'name' | 'email' | 'hide_email'>[]> {
  return await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'hide_email'])
    .where('kind', '=', 'person')
    .where(eb =>
      eb.or([
        eb.and([
          eb(sql`lower(email)`, '=', sql<string>`any (${[...emails]}::text[])`),
          eb('hide_email', '=', false),
        ]),
        eb('id', '=', anyOf(ids)),
      ]),
    )
    .execute()
}

/**
 * Locks accounts that change, or are about to own more or less, until the transaction ends; returns the ids of those that
 * exist. Organizations come first, then people, each in the order of their ids, and all of them before any repository: two
 * transactions that keep to this order never wait for each other.
 */
export async function lockAccounts(
  trx: Transaction<Database>,
  ids: readonly (number | null)[],
): Promise<Set<number>> {
  const rows = await selectInOrder(trx, ids).forNoKeyUpdate().execute()
  return new Set(rows.map(row => row.id))
}

/**
 * Keeps accounts from being deleted until the transaction ends, in the order of `lockAccounts`. Whoever locks a repository
 * and then records an event calls it first for whoever acts: the deletion of an account waits for repositories.
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
 * Locks `personId` FOR UPDATE and `others` FOR KEY SHARE, in the order of their ids, so that a concurrent block waits
 * or is seen. Lock organizations first.
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
