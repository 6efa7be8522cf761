import { sql, type Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

/**
 * Checks that someone other than this person can administer the site. Locks the account and all
 * administrators until the end of the transaction.
 * @throws {DomainError} unprocessable if this person is the last administrator who can sign in.
 */
export async function requireAnotherAdmin(trx: Transaction<Database>, userId: number): Promise<void> {
  const admins = await lockAdmins(trx, userId)
  if (admins.includes(userId) && admins.length === 1) throw lastAdministrator()
}

/**
 * Checks that someone other than these people can administer the site. Passes if no administrator can sign in
 * already. Locks these accounts and all administrators until the end of the transaction.
 * @throws {DomainError} unprocessable if no administrator who can sign in would be left.
 */
export async function requireAdminBesides(
  trx: Transaction<Database>,
  userIds: readonly number[],
): Promise<void> {
  const rows = await trx
    .selectFrom('users')
    .select(['id', isAbleAdmin.as('is_able')])
    .where('kind', '=', 'person')
    .where(eb => eb.or([isAbleAdmin, eb('id', '=', anyOf(userIds))]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const able = rows.filter(row => row.is_able)
  if (able.length > 0 && able.every(({ id }) => userIds.includes(id))) throw lastAdministrator()
}

const lastAdministrator = (): DomainError =>
  unprocessable('this is the last administrator who can sign in; make someone else an administrator first', {
    reason: { code: 'lastAdministrator' },
  })

// Directory accounts do not count, because only a password stored in this database can be used to sign in.
const isAbleAdmin = sql<boolean>`(is_admin and is_active and not prohibit_login and login_type = 'local')`

/**
 * Locks this account and all administrators who can sign in, so that two concurrent requests cannot remove
 * the last two administrators. Returns the IDs of these administrators.
 */
async function lockAdmins(trx: Transaction<Database>, userId: number): Promise<number[]> {
  const admins = trx
    .selectFrom('users')
    .select('id')
    .where(isAbleAdmin)
    .orderBy('id')
    // Not FOR UPDATE, so that inserting an event that refers to the acting administrator does not wait for
    // this lock.
    .forNoKeyUpdate()
  // People are always locked in the order of their IDs; this account needs the strong lock from the start,
  // because it may be deleted.
  const before = await admins.where('id', '<', userId).execute()
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const after = await admins.where('id', '>=', userId).execute()
  return [...before, ...after].map(row => row.id)
}
