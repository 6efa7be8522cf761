'use client'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { Topic } from '@/server/live/schema'
import type { Cursor } from './live/cursors'
import type { LiveState } from './live/leader'
import { persist } from './live/persist'
import type { Tab } from './live/tab'
import { noteViewerChange, renderedFor } from './viewer'

export type { LiveState }

const initial: LiveState = 'connecting'
let state: LiveState = initial
const listeners = new Set<() => void>()

function setState(next: LiveState): void {
  state = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the state of live updates. */
export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    subscribe,
    () => state,
    () => initial,
  )

let tab: Promise<Tab> | undefined

const debounceMs = 500

/** Waits until everything the page needs has loaded, plus a moment for hydration. */
async function pageLoaded(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise(resolve => window.addEventListener('load', resolve, { once: true }))
  await new Promise(resolve => setTimeout(resolve, debounceMs))
}

// Called once while the page is open.
async function join(): Promise<Tab> {
  await pageLoaded()
  const { joinTabs } = await persist(
    () => import('./live/tab'),
    () => setState('reconnecting'),
  )
  const viewer = renderedFor()
  const locks = navigator.locks as LockManager | undefined
  const joined = joinTabs(
    {
      id: Math.random().toString(36).slice(2),
      viewer,
      rendered: renderedCursor(),
      locks,
      channel: 'BroadcastChannel' in window ? new BroadcastChannel(`guildhall-live ${viewer}`) : undefined,
      isVisible: () => document.visibilityState === 'visible',
    },
    {
      state: setState,
      // Delayed, because people who sign out on this page are about to leave it.
      over(now) {
        if (now !== undefined) setTimeout(noteViewerChange, 3_000, now, 'subscription', performance.now())
      },
    },
  )
  document.addEventListener('visibilitychange', joined.visibilityChanged)
  const leave = (): void => {
    document.removeEventListener('visibilitychange', joined.visibilityChanged)
    joined.leave()
    tab = undefined
  }
  window.addEventListener('pagehide', leave, { once: true })
  return joined
}

function renderedCursor(): Cursor | undefined {
  const { cursor } = document.documentElement.dataset
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return cursor === undefined
    ? undefined
    : { cursor, at: performance.timeOrigin + (loading?.responseStart ?? 0) }
}

/**
 * Calls `onChange` when something happened to one of these topics, so that the page fetches its data again. A
 * browser's tabs share one stream.
 */
export function useLive(topics: readonly Topic[], onChange: () => void): void {
  const react = useRef(onChange)
  react.current = onChange
  const text = JSON.stringify(topics)

  useEffect(() => {
    const wanted = JSON.parse(text) as Topic[]
    if (wanted.length === 0) return
    let isOver = false
    let unfollow: (() => void) | undefined
    const changed = (): void => react.current()
    const begin = (): void => {
      tab ??= join()
      void tab.then(joined => {
        if (isOver) return
        // If the page is restored before the tab has joined, `begin` runs twice.
        const former = unfollow
        unfollow = joined.follow(wanted, changed)
        former?.()
      })
    }
    begin()
    // A page restored from the back/forward cache has left the other tabs.
    const comeBack = ({ persisted }: PageTransitionEvent): void => {
      if (!persisted) return
      begin()
      react.current()
    }
    window.addEventListener('pageshow', comeBack)
    return () => {
      isOver = true
      window.removeEventListener('pageshow', comeBack)
      unfollow?.()
    }
  }, [text])
}
