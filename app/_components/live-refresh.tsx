'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from '@/app/_lib/use-live'
import { isRefreshHeld } from '@/app/_lib/workarounds/hold-refresh'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Topic } from '@/server/live/schema'

// Minimum time between two refreshes of a busy page.
const debounceMs = 500

/** Refreshes everything on the page when live events concern it. */
export function LiveRefresh({ topics }: { topics: readonly Topic[] }): null {
  const queryClient = useQueryClient()
  const refresh = useRef<DebouncedRefresh>(undefined)
  useLive(topics, () => {
    // Queries marked `isAsked` keep showing what people are about to confirm. The server checks it when they
    // confirm.
    void queryClient.invalidateQueries({ predicate: ({ meta }) => !meta?.isAsked })
    refresh.current?.ask()
  })
  useEffect(() => {
    const begun = beginRefresh(refreshPage)
    refresh.current = begun
    return begun.end
  }, [])
  return null
}

interface DebouncedRefresh {
  ask: () => void
  end: () => void
}

/**
 * Returns functions to request a refresh and to stop. Refreshes immediately and then at most once per
 * interval, but not while the page is hidden or offline or `isRefreshHeld` returns true.
 */
function beginRefresh(act: () => void): DebouncedRefresh {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  const tryNow = (): void => {
    // Without a network, a refresh would only wait, and changes of the URL would wait for it.
    if (!isDue || timer || document.hidden || !navigator.onLine) return
    timer = setTimeout(() => {
      timer = undefined
      tryNow()
    }, debounceMs)
    if (isRefreshHeld()) return
    isDue = false
    act()
  }
  document.addEventListener('visibilitychange', tryNow)
  window.addEventListener('online', tryNow)
  return {
    ask: () => {
      isDue = true
      tryNow()
    },
    end: () => {
      document.removeEventListener('visibilitychange', tryNow)
      window.removeEventListener('online', tryNow)
      clearTimeout(timer)
    },
  }
}
