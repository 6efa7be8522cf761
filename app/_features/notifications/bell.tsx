'use client'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { BellIcon } from '@/app/_components/icons'
import { positionBelow } from '@/app/_components/menu'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import styles from './bell.module.css'
import { onUnread, shareUnread } from './unread'

/**
 * Button with the number of unread notifications, which opens their list. The code of the list is loaded on first use.
 * @param unread Number of unread notifications when the page was rendered.
 */
export function Bell({ unread: rendered }: { unread: number }): ReactNode {
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [times, setTimes] = useState(0)
  const [unread, setUnread] = useState(rendered)
  useEffect(() => setUnread(rendered), [rendered])
  useEffect(() => onUnread(setUnread), [])
  useLive([{ topic: 'notifications' }], () => {
    trpc.notifications.list.query({ unread_only: true, limit: 1 }).then(
      page => shareUnread(page.unread),
      () => undefined,
    )
  })
  // As for menus, the browser itself moves the focus when it opens the list.
  useLayoutEffect(() => popover.current?.setAttribute('autofocus', ''), [])
  const close = (): void => popover.current?.hidePopover()
  const Panel = useLazyComponent(
    async () => (await import('./notification-panel')).NotificationPanel,
    isOpen,
    close,
  )
  const label = unread === 0 ? 'Notifications' : `Notifications, ${counted(unread)} unread`

  return (
    <span className={styles.slot}>
      <button
        type="button"
        className={styles.bell}
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
      >
        <BellIcon />
        {unread === 0 ? null : <span className={styles.count}>{counted(unread)}</span>}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        // Shortcuts of the page are off while there is a dialog.
        {...(isOpen && { role: 'dialog', 'aria-label': 'Notifications' })}
        tabIndex={-1}
        className={styles.popover}
        onBeforeToggle={event => {
          if (event.newState === 'open') positionBelow(event.currentTarget)
        }}
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          // The browser sends one event for a list that is closed and opened again at once.
          if (newState === 'open') setTimes(times => times + 1)
        }}
      >
        {isOpen ? (
          Panel ? (
            <Panel key={times} onLeave={close} />
          ) : (
            <p className={styles.coming}>Loading…</p>
          )
        ) : null}
      </div>
    </span>
  )
}

const counted = (count: number): string => (count > 99 ? '99+' : String(count))
