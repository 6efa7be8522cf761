import { sql, type Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

/**
 * Requires that somebody else can administer the site. Locks this account and all administrators until the
 * transaction ends.
 * @throws {DomainError} unprocessable for the last administrator.
 */
export async function requireAnotherAdmin(trx: Transaction<Database>, userId: number): Promise<void> {
  const admins = await lockAdmins(trx, userId)
  if (admins.includes(userId) && admins.length === 1) throw lastAdministrator()
}

/**
 * Requires that somebody besides these people can administer the site, if one of them can. Locks these accounts and all
 * administrators until the transaction ends.
 * @throws {DomainError} unprocessable where no administrator would be left.
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
  unprocessable('this is the last administrator who can sign in; make somebody else one first', {
    reason: { code: 'lastAdministrator' },
  })

// Accounts of a directory do not count: only a password kept here opens the site.
const isAbleAdmin = sql<boolean>`(is_admin and is_active and not prohibit_login and login_type = 'local')`

/**
 * Locks this account and the row of every administrator who can sign in, so that two requests cannot each remove "the
 * other" last one; returns the ids of the administrators.
 */
async function lockAdmins(trx: Transaction<Database>, userId: number): Promise<number[]> {
  const admins = trx
    .selectFrom('users')
    .select('id')
    .where(isAbleAdmin)
    .orderBy('id')
    // Not "for update": an event being written refers to the administrator who acts, and must not wait for this lock.
    .forNoKeyUpdate()
  // In the order of their ids, as people are locked everywhere, and this account at once as strongly as its end needs.
  const before = await admins.where('id', '<', userId).execute()
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const after = await admins.where('id', '>=', userId).execute()
  return [...before, ...after].map(row => row.id)
}
