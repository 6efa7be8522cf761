import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce } from '@/server/events'
import { lockAccounts } from '@/server/users'
import { insertNotifications, type NewNotification } from './store'

/**
 * Writes notifications for the accounts that still exist, and tells their open pages after the commit. The accounts are
 * locked, so that a person's notifications become visible in the order of their IDs, and none is marked as
 * read that was not shown.
 */
export async function writeNotifications(
  trx: Transaction<Database>,
  notifications: readonly NewNotification[],
  now: Date,
): Promise<void> {
  if (notifications.length === 0) return
  const accounts = await lockAccounts(
    trx,
    notifications.map(({ account_id }) => account_id),
  )
  // One statement cannot replace a row that it inserted: of several about one subject, the last one counts.
  const last = new Map(
    notifications
      .filter(({ account_id }) => accounts.has(account_id))
      .map(one => [`${one.account_id} ${one.kind} ${one.subject_id}`, one]),
  )
  const notified = await insertNotifications(trx, [...last.values()], now)
  for (const ownerId of notified)
    announce(trx, { kind: 'notifications.changed', ownerId, repositoryId: null })
}
