import type { ReactNode } from 'react'
import { Pager } from '@/app/_components/pager'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { DayFilter } from '@/app/_features/activity/day-filter'
import type { Activity } from '@/server/activity/schema'
import type { Page } from '@/server/kernel/pagination'

interface FeedScreenProps {
  feed: Page<Activity>
  /** The one day that is shown; all days when empty. */
  date: string
  empty: string
}

/** A feed with its filter; both the day and the page are in the address. */
export function FeedScreen({ feed, date, empty }: FeedScreenProps): ReactNode {
  return (
    <>
      <DayFilter date={date} />
      <ActivityList items={feed.items} empty={date === '' ? empty : 'Nothing happened on this day.'} />
      <Pager label="Pages of activity" page={feed.page} limit={feed.limit} total={feed.total} />
    </>
  )
}
