import { trpc } from '@/app/_lib/trpc'
import type { Notification } from '@/server/notifications/schema'

const listeners = new Set<(count: number) => void>()

/** Calls back with the number of unread notifications whenever this page learns it. */
export function onUnread(listener: (count: number) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function shareUnread(count: number): void {
  for (const listener of listeners) listener(count)
}

/** Marks those of the shown notifications that are unread as read. A failure only leaves them unread. */
export function markRead(shown: readonly Notification[]): void {
  const ids = shown.flatMap(({ id, unread }) => (unread ? id : []))
  if (ids.length === 0) return
  trpc.notifications.markRead
    .mutate({ from: Math.min(...ids), to: Math.max(...ids) })
    .then(shareUnread, () => undefined)
}
