import type { ReactNode } from 'react'
import { Pager } from '@/app/_components/pager'
import type { Activity } from '@/server/activity/schema'
import type { Page } from '@/server/kernel/pagination'
import { ActivityList } from './activity-list'
import { DayFilter } from './day-filter'

interface ActivityFeedProps {
  feed: Page<Activity>
  /** The selected day as YYYY-MM-DD, in UTC; empty for all days. */
  date: string
  empty: string
  /** Heading above the feed, for pages that have no other heading for it. */
  title?: string
}

/** Paginated activity feed with a day filter. The page and the day are part of the URL. */
export function ActivityFeed({ feed, date, empty, title }: ActivityFeedProps): ReactNode {
  return (
    <>
      <DayFilter date={date} title={title} />
      <ActivityList items={feed.items} empty={date === '' ? empty : 'No activity on this day.'} />
      <Pager label="Pages of activity" page={feed.page} limit={feed.limit} total={feed.total} />
    </>
  )
}
