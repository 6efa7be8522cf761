'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { CheckCircleIcon } from '@/app/_components/icons'
import { TextLink } from '@/app/_components/links'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import type { NotificationPage } from '@/server/notifications/schema'
import styles from './notification-panel.module.css'
import { NotificationRows } from './notification-rows'
import { shareUnread } from './unread'

/** Maximum number of notifications in the list below the bell. */
const mostShown = 10

/** The newest notifications. Showing them marks them as read. `onLeave` is called when a link is followed or the focus
 * leaves. */
export function NotificationPanel({ onLeave }: { onLeave: () => void }): ReactNode {
  const panel = useRef<HTMLDivElement>(null)
  const [page, setPage] = useState<NotificationPage>()
  const [failure, setFailure] = useState('')
  const load = (): void => {
    trpc.notifications.list.query({ limit: mostShown }).then(
      found => {
        setPage(found)
        setFailure('')
        shareUnread(found.unread)
      },
      error => setFailure(readFailure(error).message),
    )
  }
  useEffect(load, [])
  useLive([{ topic: 'notifications' }], load)
  const isLoaded = page !== undefined
  useEffect(() => {
    if (isLoaded && document.activeElement?.contains(panel.current)) linksIn(panel.current)[0]?.focus()
  }, [isLoaded])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys and clicks are those of the links
    <div
      ref={panel}
      onKeyDown={event => moveFocus(event, linksIn(panel.current))}
      onClick={({ target }) => {
        if ((target as Element).closest('a')) onLeave()
      }}
      onBlur={({ currentTarget, relatedTarget: next }) => {
        if (next && !next.contains(currentTarget) && !currentTarget.contains(next)) onLeave()
      }}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>Notifications</h2>
        <TextLink href="/-/notifications">See all</TextLink>
      </div>
      {page && page.items.length > 0 ? (
        <ul>
          <NotificationRows items={page.items} readWhen="shown" />
        </ul>
      ) : (
        <p role="status" className={styles.empty}>
          {failure || (page ? <Nothing /> : 'Loading…')}
        </p>
      )}
    </div>
  )
}

function Nothing(): ReactNode {
  return (
    <>
      <CheckCircleIcon />
      You’re all caught up.
    </>
  )
}

/** The links to notifications, then the one to all of them. */
function linksIn(panel: HTMLElement | null): HTMLElement[] {
  const links = [...(panel?.querySelectorAll<HTMLElement>('a[href]') ?? [])]
  return [...links.slice(1), ...links.slice(0, 1)]
}

function moveFocus(event: KeyboardEvent, links: readonly HTMLElement[]): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const at = links.indexOf(document.activeElement as HTMLElement)
  const steps: Record<string, number> = {
    ArrowDown: (at + 1) % links.length,
    ArrowUp: (at <= 0 ? links.length : at) - 1,
    Home: 0,
    End: links.length - 1,
  }
  const next = links[steps[event.key] ?? -1]
  if (!next) return
  event.preventDefault()
  next.focus()
}
