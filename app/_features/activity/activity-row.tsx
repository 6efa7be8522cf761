'use client'
import type { ReactNode } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { UserAvatar } from '@/app/_components/user-avatar'
import type { Activity } from '@/server/activity/schema'
import styles from './activity.module.css'
import { ActivitySentence } from './activity-sentence'
import { readPush } from './push-content'

export function ActivityRow({ activity }: { activity: Activity }): ReactNode {
  const { act_user, created } = activity
  const push = activity.op_type === 'commit_repo' ? readPush(activity.content) : undefined
  // An account that is gone has no page.
  const isGone = act_user.id < 1
  return (
    <li className={styles.row}>
      <UserAvatar id={Math.max(act_user.id, 0)} size={24} />
      <div className={styles.told}>
        <p>
          <strong>
            {isGone ? act_user.login : <QuietLink href={`/${act_user.login}`}>{act_user.login}</QuietLink>}
          </strong>{' '}
          <ActivitySentence activity={activity} />
        </p>
        {push?.message ? <p className={styles.message}>{push.message}</p> : null}
        <p className={styles.facts}>
          <RelativeDate value={created} />
          {push?.sha ? (
            <>
              <code>{push.sha.slice(0, 10)}</code>
              <CopyButton text={push.sha} what="commit id" />
            </>
          ) : null}
        </p>
      </div>
    </li>
  )
}
