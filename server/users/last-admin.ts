import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { unprocessable } from '@/server/kernel/errors'

/**
 * Requires that somebody else can administer the site. Locks this account and all administrators until the
 * transaction ends.
 * @throws {DomainError} unprocessable for the last administrator.
 */
export async function requireAnotherAdmin(trx: Transaction<Database>, userId: number): Promise<void> {
  const admins = await lockAdmins(trx, userId)
  if (admins.includes(userId) && admins.length === 1) {
    throw unprocessable('this is the last administrator who can sign in; make somebody else one first', {
      reason: { code: 'lastAdministrator' },
    })
  }
}

/**
 * Locks this account and the row of every administrator who can sign in, so that two requests cannot each remove "the
 * other" last one; returns the ids of the administrators. Accounts of a directory do not count: only a password kept
 * here opens the site.
 */
async function lockAdmins(trx: Transaction<Database>, userId: number): Promise<number[]> {
  const admins = trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .where('prohibit_login', '=', false)
    .where('login_type', '=', 'local')
    .orderBy('id')
    // Not "for update": an event being written refers to the administrator who acts, and must not wait for this lock.
    .forNoKeyUpdate()
  // In the order of their ids, as people are locked everywhere, and this account at once as strongly as its end needs.
  const before = await admins.where('id', '<', userId).execute()
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const after = await admins.where('id', '>=', userId).execute()
  return [...before, ...after].map(row => row.id)
}
