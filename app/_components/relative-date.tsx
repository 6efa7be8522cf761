'use client'
import { type ReactNode, useSyncExternalStore } from 'react'

/** "3 days ago", later "on Nov 3"; the exact time on hover. The server's first text already says it so. */
export function RelativeDate({ value }: { value: string }): ReactNode {
  const minute = useSyncExternalStore(everyMinute, currentMinute, currentMinute)
  return (
    // Between the server's answer and this code a minute may have begun; the next one brings both together.
    <time
      dateTime={value}
      suppressHydrationWarning
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exact.format(new Date(value))
      }}
    >
      {relativeWords(new Date(value), minute * 60_000)}
    </time>
  )
}

const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' })
const ago = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const thisYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const otherYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** The distance from `then` to `now` (milliseconds since 1970) in words, or the day (UTC) once it is a month ago. */
export function relativeWords(then: Date, now: number): string {
  const minutes = Math.max(0, Math.floor(now / 60_000) - Math.floor(then.getTime() / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return ago.format(-minutes, 'minute')
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return ago.format(-hours, 'hour')
  const days = Math.floor(hours / 24)
  if (days < 30) return ago.format(-days, 'day')
  const isThisYear = then.getUTCFullYear() === new Date(now).getUTCFullYear()
  return `on ${(isThisYear ? thisYear : otherYear).format(then)}`
}

const shown = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined

function everyMinute(changed: () => void): () => void {
  shown.add(changed)
  clock ??= setInterval(() => {
    for (const tell of shown) tell()
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
