import { subjectOf } from '@/server/access'
import type { UserCtx } from '@/server/kernel/ctx'
import { pageBeforeCursor } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { ListNotificationsInput, Notification, NotificationPage } from './schema'
import { type NotificationRow, selectNotifications } from './store'

/**
 * Lists the caller's notifications, newest first, without those about what is gone, settled, or hidden from
 * them.
 */
export async function listNotifications(
  { db, caller }: UserCtx,
  input: ListNotificationsInput,
): Promise<NotificationPage> {
  const { rows, unread } = await selectNotifications(db, subjectOf(caller), input)
  const { items, next } = pageBeforeCursor(input.limit, rows)
  return { items: items.map(viewNotification), next, unread }
}

// The query names the facts as the schema does, which the procedure's output checks.
const viewNotification = ({ id, kind, created_at, read_at, facts }: NotificationRow): Notification =>
  ({
    ...facts,
    ...(typeof facts.expires_at === 'string' && { expires_at: wireTime(new Date(facts.expires_at)) }),
    id,
    kind,
    unread: read_at === null,
    created_at: wireTime(created_at),
  }) as Notification
