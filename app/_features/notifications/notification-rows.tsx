'use client'
import { type ReactNode, useEffect, useState } from 'react'
import {
  ArrowRightIcon,
  type Icon,
  KeyAsteriskIcon,
  KeyIcon,
  PeopleIcon,
  RepoIcon,
  WebhookIcon,
  XCircleFillIcon,
} from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import type { Notification } from '@/server/notifications/schema'
import { describeNotification } from './describe'
import styles from './notification-rows.module.css'
import { markRead } from './unread'

interface NotificationRowsProps {
  items: readonly Notification[]
  /** What marks notifications as read: that they are shown, or only that they are opened. */
  readWhen: 'shown' | 'opened'
}

/** Rows of a list of notifications. Each leads to what it is about. */
export function NotificationRows({ items, readWhen }: NotificationRowsProps): ReactNode {
  // What was unread when it was shown keeps its mark, although showing it marked it as read.
  const [fresh] = useState(() => new Set<number>())
  for (const { id, unread } of items) if (unread) fresh.add(id)
  useEffect(() => {
    if (readWhen === 'shown') return whenVisible(() => markRead(items))
  }, [items, readWhen])

  return (
    <>
      {items.map(item => {
        const { text, detail, until, href } = describeNotification(item)
        const Visual = icons[item.kind]
        const isFresh = fresh.has(item.id)
        return (
          <li key={item.id} className={styles.row} data-unread={isFresh || undefined}>
            <span className={styles.visual} data-kind={item.kind}>
              <Visual />
            </span>
            {/* Also for the middle button, which opens a new tab. */}
            <div
              className={styles.words}
              onClickCapture={() => markRead([item])}
              onAuxClickCapture={() => markRead([item])}
            >
              {isFresh ? <span className="visually-hidden">Unread: </span> : null}
              <bdi>
                <QuietLink href={href}>{text}</QuietLink>
              </bdi>
              <p className={styles.facts}>
                {detail ? <bdi>{detail}</bdi> : null}
                {until ? <Until value={until} /> : <RelativeDate value={item.created_at} />}
              </p>
            </div>
          </li>
        )
      })}
    </>
  )
}

const icons: Readonly<Record<Notification['kind'], Icon>> = {
  run_failed: XCircleFillIcon,
  transfer_offered: ArrowRightIcon,
  team_joined: PeopleIcon,
  collaboration_begun: RepoIcon,
  hook_disabled: WebhookIcon,
  token_expiring: KeyAsteriskIcon,
  key_expiring: KeyIcon,
}

function Until({ value }: { value: string }): ReactNode {
  const isOver = Date.parse(value) <= Date.now()
  return (
    <span>
      {isOver ? 'Expired ' : 'Expires '}
      <RelativeDate value={value} future={!isOver} />
    </span>
  )
}

/** Calls back once the page is visible, unless the returned function is called before. */
function whenVisible(act: () => void): (() => void) | undefined {
  if (!document.hidden) {
    act()
    return undefined
  }
  const stop = (): void => document.removeEventListener('visibilitychange', look)
  const look = (): void => {
    if (document.hidden) return
    stop()
    act()
  }
  document.addEventListener('visibilitychange', look)
  return stop
}
