'use client'
import { useEffect } from 'react'
import { isDialogOpen } from './shortcut'
import { hasUnsavedChanges } from './use-unsaved-warning'

const holders = new Set<object>()

/**
 * Keeps the route of the page from being fetched again while this is shown: it follows what it shows by itself, and says
 * what became of something that is gone, where the route would only answer that there is nothing.
 */
export function useSelfUpdating(): void {
  useEffect(() => {
    const holder = {}
    holders.add(holder)
    return () => void holders.delete(holder)
  }, [])
}

/** Whether fetching the route again would take something from the person: what they typed, or what they are asked. */
export const isRefreshHeld = (): boolean => holders.size > 0 || hasUnsavedChanges() || isDialogOpen()
