import type { ReactNode } from 'react'
import { ListFrame } from '@/app/_components/box'
import { CursorPager } from '@/app/_components/cursor-pager'
import { EmptyState } from '@/app/_components/empty-state'
import { CheckCircleIcon } from '@/app/_components/icons'
import { LiveRefresh } from '@/app/_components/live-refresh'
import { PageHeading } from '@/app/_components/page-heading'
import type { NotificationPage } from '@/server/notifications/schema'
import { NotificationRows } from './notification-rows'
import styles from './notifications-screen.module.css'

interface NotificationsScreenProps {
  cursor: number | undefined
  found: NotificationPage
}

/** All notifications, page by page. Showing them marks them as read. */
export function NotificationsScreen({ cursor, found: { items, next } }: NotificationsScreenProps): ReactNode {
  return (
    <div className={styles.page}>
      <LiveRefresh topics={[{ topic: 'notifications' }]} />
      <PageHeading title="Notifications">
        What needs you. Notifications disappear when they are settled, and after 90 days.
      </PageHeading>
      {items.length === 0 ? (
        <EmptyState icon={CheckCircleIcon} title="You’re all caught up">
          <p>
            Failed runs, offered repositories, new access, disabled webhooks, and credentials that expire soon
            will appear here.
          </p>
        </EmptyState>
      ) : (
        <ListFrame label="Notifications">
          <NotificationRows items={items} readWhen="shown" />
        </ListFrame>
      )}
      <CursorPager label="Pages of notifications" cursor={cursor} next={next} />
    </div>
  )
}
