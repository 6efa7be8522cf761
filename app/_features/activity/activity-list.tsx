import type { ReactNode } from 'react'
import type { Activity } from '@/server/activity/schema'
import styles from './activity.module.css'
import { ActivityRow, type ShownActivity } from './activity-row'
import { readPush } from './push-content'

interface ActivityListProps {
  items: readonly Activity[]
  /** Text shown if there is no activity. */
  empty: string
}

/** List of activity with one sentence per entry, newest first. */
export function ActivityList({ items, empty }: ActivityListProps): ReactNode {
  if (items.length === 0) return <p className={styles.empty}>{empty}</p>
  return (
    <ul className={styles.list}>
      {items.map(activity => (
        <ActivityRow key={activity.id} activity={shownOf(activity)} />
      ))}
    </ul>
  )
}

// Pages repeat what they pass to client components, and an entry of the API has its whole repository.
function shownOf({ op_type, ref_name, content, created, act_user, repo }: Activity): ShownActivity {
  const push = op_type === 'commit_repo' ? readPush(content) : undefined
  return {
    op_type,
    ref_name,
    content: push ? '' : content,
    created,
    person: { id: act_user.id, login: act_user.login },
    repo: { full_name: repo.full_name },
    push,
  }
}
