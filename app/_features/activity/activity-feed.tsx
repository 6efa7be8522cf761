'use client'
import type { ReactNode } from 'react'
import { Pager } from '@/app/_components/pager'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { useQueryText } from '@/app/_components/query-controls'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import type { Activity } from '@/server/activity/schema'
import type { Page } from '@/server/kernel/pagination'
import styles from './activity.module.css'
import { ActivityList } from './activity-list'

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

interface DayFilterProps {
  /** The selected day as YYYY-MM-DD, in UTC; empty for all days. */
  date: string
  title: string | undefined
}

/** Date field that limits a feed to one day, which becomes part of the URL. */
function DayFilter({ date, title }: DayFilterProps): ReactNode {
  const [day, setDay] = useQueryText('date', date)
  const hydrated = useHydrated()
  return (
    <div className={styles.bar}>
      {title ? <h2 className={styles.title}>{title}</h2> : null}
      <div className={styles.filter}>
        <FormControl>
          <FormControl.Label>Day (UTC)</FormControl.Label>
          <TextInput
            type="date"
            readOnly={!hydrated}
            value={day}
            onChange={event => setDay(event.target.value)}
          />
        </FormControl>
        {day ? <Button onClick={() => setDay('')}>Show all days</Button> : null}
      </div>
    </div>
  )
}
