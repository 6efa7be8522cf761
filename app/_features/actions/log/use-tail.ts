'use client'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { useLive } from '@/app/_lib/use-live'
import type { Topic } from '@/server/live/schema'
import { type Log, retryMs } from './log'

const busyMs = 1000
const quietMs = 3000
/** How long to poll fast after the last row arrived, in milliseconds. */
const busyForMs = 10_000

/**
 * Keeps a log up to date until it is complete: fetches on live events, and every second while rows arrive.
 * Without live events or after a failed call, fetches every three seconds.
 */
export function useGrowth(log: Log, topics: readonly Topic[]): void {
  const isLive = topics.length > 0
  const wake = useRef<() => void>(() => undefined)
  useLive(topics, () => wake.current())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    let grewAt = Number.NEGATIVE_INFINITY
    const ask = async (): Promise<void> => {
      clearTimeout(timer)
      const before = log.total() ?? 0
      await log.refresh()
      const failure = log.failure()
      if (isOver || log.isComplete() || isLoss(failure)) return
      if ((log.total() ?? 0) > before) grewAt = Date.now()
      const isBusy = Date.now() - grewAt < busyForMs
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      if (failure) timer = setTimeout(() => void ask(), retryMs)
      else if (isBusy || !isLive) timer = setTimeout(() => void ask(), isBusy ? busyMs : quietMs)
    }
    wake.current = () => void ask()
    const shown = (): void => {
      if (document.visibilityState === 'visible' && !log.isComplete()) void ask()
    }
    document.addEventListener('visibilitychange', shown)
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
      wake.current = () => undefined
    }
  }, [log, isLive])
}

const nearPx = 60

interface FollowedEnd {
  /** Ref for a focusable element at the end. */
  end: RefObject<HTMLDivElement | null>
  isFollowing: boolean
  follow: () => void
  /** Must be called when the reader opens or closes something, because that can move the end far away. */
  lookAgain: () => void
}

/**
 * Keeps the end of growing content in view for readers who are there, until they scroll away or open
 * something above it.
 */
export function useFollowedEnd(isGrowing: boolean, version: number): FollowedEnd {
  const end = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(false)
  const [isFollowing, setFollowing] = useState(false)
  const look = useCallback((): void => {
    const bottom = end.current?.getBoundingClientRect().bottom ?? 0
    isAtEnd.current = bottom > 0 && bottom <= window.innerHeight + nearPx
    setFollowing(isAtEnd.current)
  }, [])
  const lookAgain = useCallback((): void => {
    isAtEnd.current = false
    requestAnimationFrame(look)
  }, [look])

  useEffect(() => {
    if (!isGrowing) return
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [isGrowing, look])

  useLayoutEffect(() => {
    void version
    if (!isGrowing || !isAtEnd.current || !end.current) return
    // Scrolls only down: a log that ends within the window remains where it is.
    if (end.current.getBoundingClientRect().bottom > window.innerHeight)
      end.current.scrollIntoView({ block: 'end' })
  }, [isGrowing, version])

  // The pressed button disappears, so the focus moves to the end.
  const follow = (): void => {
    end.current?.focus({ preventScroll: true })
    end.current?.scrollIntoView({ block: 'end' })
  }
  return { end, isFollowing, follow, lookAgain }
}
