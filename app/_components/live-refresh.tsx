'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from '@/app/_lib/use-live'
import { isRefreshHeld } from '@/app/_lib/workarounds/hold-refresh'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { Topic } from '@/server/live/schema'

// Where much happens, a page is fetched this often at most.
const debounceMs = 500

/** Brings everything on the page up to date when something happens to what it is about. */
export function LiveRefresh({ topics }: { topics: readonly Topic[] }): null {
  const queryClient = useQueryClient()
  const refresh = useRef<DebouncedRefresh>(undefined)
  useLive(topics, () => {
    // What somebody is about to agree to stays as they read it; whether it still holds is checked when they do.
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

/** Refreshes at once when asked, then not for a while, and neither a hidden page nor one that is held. */
function beginRefresh(act: () => void): DebouncedRefresh {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  const tryNow = (): void => {
    // Without a network the router would leave the page for the browser's own page of errors.
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
