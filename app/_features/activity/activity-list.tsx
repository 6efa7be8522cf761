'use client'
import type { ReactNode } from 'react'
import type { Activity } from '@/server/activity/schema'
import styles from './activity.module.css'
import { ActivityRow } from './activity-row'

interface ActivityListProps {
  items: readonly Activity[]
  /** What stands here while nothing has happened. */
  empty: string
}

/** What people did, newest first, in sentences. */
export function ActivityList({ items, empty }: ActivityListProps): ReactNode {
  if (items.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <ul className={styles.list}>
      {items.map(activity => (
        <ActivityRow key={activity.id} activity={activity} />
      ))}
    </ul>
  )
}
