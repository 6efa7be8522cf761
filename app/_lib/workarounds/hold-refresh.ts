'use client'
import { useEffect } from 'react'
import { readFailure } from '../failure'
import { isDialogOpen } from '../shortcut'
import { hasUnsavedChanges } from './use-unsaved-warning'

const holders = new Set<object>()

/**
 * Keeps the page's route from being refreshed while a component is shown that updates itself. It shows what happened
 * to a deleted object, where the route would only show that the page does not exist. If the error of its last fetch
 * says that the repository or organization was deleted or renamed, the route is refreshed, because it redirects.
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

/**
 * Returns whether refreshing the route would discard something: typed text, an open dialog, or the state of a
 * component that updates itself.
 */
export const isRefreshHeld = (): boolean => holders.size > 0 || hasUnsavedChanges() || isDialogOpen()
