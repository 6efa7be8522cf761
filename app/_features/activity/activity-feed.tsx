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
  /** The one day that is shown; all days when empty. */
  date: string
  empty: string
  /** Heads the feed, where nothing else does. */
  title?: string
}

/** A feed with its filter; both the day and the page are in the address. */
export function ActivityFeed({ feed, date, empty, title }: ActivityFeedProps): ReactNode {
  return (
    <>
      <DayFilter date={date} title={title} />
      <ActivityList items={feed.items} empty={date === '' ? empty : 'Nothing happened on this day.'} />
      <Pager label="Pages of activity" page={feed.page} limit={feed.limit} total={feed.total} />
    </>
  )
}

interface DayFilterProps {
  /** The day in the address, as YYYY-MM-DD, or nothing. */
  date: string
  title: string | undefined
}

/** Narrows a feed to one day. The day is in the address. */
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
