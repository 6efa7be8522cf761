import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { TextLink } from '@/app/_components/links'
import type { NotificationPage } from '@/server/notifications/schema'
import { NotificationRows } from './notification-rows'

/** The newest unread notifications, if there are any. They stay unread until they are opened. */
export function NeedsYou({ items, unread }: Pick<NotificationPage, 'items' | 'unread'>): ReactNode {
  if (items.length === 0) return null
  return (
    <ListBox
      title="Needs you"
      total={unread}
      action={<TextLink href="/-/notifications">All notifications</TextLink>}
    >
      <NotificationRows items={items} readWhen="opened" />
    </ListBox>
  )
}
