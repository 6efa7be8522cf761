'use client'
import { useEffect } from 'react'
import { readFailure } from '../failure'
import { isDialogOpen } from '../shortcut'
import { hasUnsavedChanges } from './use-unsaved-warning'

const holders = new Set<object>()

/**
 * Keeps the route of the page from being fetched again while this is shown: it follows what it shows by itself, and says
 * what became of something that is gone, where the route would only answer that there is nothing. Where the `error` of its
 * last fetch says that the place itself is gone or has another name, the route knows the way on.
 */
export function useSelfUpdating(error: unknown, doesFollow = true): void {
  const isHeld = doesFollow && !isPageDeleted(error)
  useEffect(() => {
    if (!isHeld) return
    const holder = {}
    holders.add(holder)
    return () => void holders.delete(holder)
  }, [isHeld])
}

const kinds: ReadonlySet<string> = new Set(['repository', 'organization'])

function isPageDeleted(error: unknown): boolean {
  if (!error) return false
  const { kind, reason } = readFailure(error)
  return kind === 'moved' || (reason?.code === 'gone' && kinds.has(reason.what))
}

/** Whether fetching the route again would take something from the person: what they typed, or what they are asked. */
export const isRefreshHeld = (): boolean => holders.size > 0 || hasUnsavedChanges() || isDialogOpen()
