'use client'
import { type ReactNode, useSyncExternalStore } from 'react'

interface RelativeDateProps {
  value: string
  /**
   * Whether the time is expected to be in the future. Otherwise, a future time counts as just now, because
   * clocks differ.
   */
  future?: boolean
}

/**
 * Shows a time such as "3 days ago", "in 3 days", or "on Nov 3", and the exact time on hover. The server
 * renders the same text.
 */
export function RelativeDate({ value, future = false }: RelativeDateProps): ReactNode {
  const minute = useSyncExternalStore(everyMinute, currentMinute, currentMinute)
  return (
    // A minute may have passed since the server rendered the text. The next update fixes the difference.
    <time
      dateTime={value}
      suppressHydrationWarning
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exact.format(new Date(value))
      }}
    >
      {relativeText(new Date(value), minute * 60_000, future)}
    </time>
  )
}

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' })
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const thisYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const otherYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * Returns the distance from `then` to `now` (in milliseconds since 1970) in words, or the day (UTC) if it is
 * at least a month away.
 */
export function relativeText(then: Date, now: number, future = false): string {
  const direction = future ? 1 : -1
  // Future times are rounded, so that a week is still "in 7 days" shortly after it starts. For past times, only
  // complete units count, so that a moment ago isn't "1 minute ago" because a new minute has started since.
  const whole = future ? Math.round : Math.floor
  const minute = future ? Math.floor(then.getTime() / 60_000) : Math.ceil(then.getTime() / 60_000)
  const minutes = Math.max(0, direction * (minute - Math.floor(now / 60_000)))
  if (minutes < 1) return future ? 'within a minute' : 'just now'
  if (minutes < 60) return relative.format(direction * minutes, 'minute')
  const hours = whole(minutes / 60)
  if (hours < 24) return relative.format(direction * hours, 'hour')
  const days = whole(minutes / 60 / 24)
  if (days < 30) return relative.format(direction * days, 'day')
  const isThisYear = then.getUTCFullYear() === new Date(now).getUTCFullYear()
  return `on ${(isThisYear ? thisYear : otherYear).format(then)}`
}

const shown = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined

function everyMinute(changed: () => void): () => void {
  shown.add(changed)
  clock ??= setInterval(() => {
    for (const update of shown) update()
  }, 60_000)
  return () => {
    shown.delete(changed)
    if (shown.size > 0) return
    clearInterval(clock)
    clock = undefined
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000)
}
