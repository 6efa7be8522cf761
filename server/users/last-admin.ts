import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { unprocessable } from '@/server/kernel/errors'
import { lockAdmins } from './store'

/**
 * Throws unprocessable when nobody could administer the site without this account. Holds it and all administrators
 * until the transaction ends.
 */
export async function requireAnotherAdmin(trx: Transaction<Database>, userId: number): Promise<void> {
  const admins = await lockAdmins(trx, userId)
  if (admins.includes(userId) && admins.length === 1) {
    throw unprocessable('this is the last administrator who can sign in; make somebody else one first', {
      reason: { code: 'lastAdministrator' },
    })
  }
}
