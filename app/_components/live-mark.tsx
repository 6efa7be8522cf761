'use client'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { type LiveState, useLiveState } from '@/app/_lib/use-live'
import styles from './live-mark.module.css'

const labels: Partial<Record<LiveState, string>> = {
  reconnecting: 'Reconnecting',
  over: 'Live updates stopped',
}

/**
 * Shows in a corner of the window that the page no longer updates automatically. Otherwise renders nothing.
 */
export function LiveMark(): ReactNode {
  const state = useLiveState()
  const text = useHasFailed() ? 'Couldn’t update' : labels[state]
  return (
    <div role="status" className={styles.slot} data-live={state}>
      {text ? <span className={styles.mark}>{text}</span> : null}
    </div>
  )
}

// Screens show a loss of access themselves.
const saidElsewhere: ReadonlySet<string> = new Set(['notFound', 'forbidden'])

/** Returns whether the last fetch of data shown on the page failed, so that the data may be outdated. */
function useHasFailed(): boolean {
  const cache = useQueryClient().getQueryCache()
  const hasFailed = (): boolean =>
    cache
      .getAll()
      .some(
        query =>
          query.isActive() &&
          !query.meta?.isAsked &&
          query.state.data !== undefined &&
          query.state.error &&
          !saidElsewhere.has(readFailure(query.state.error).kind),
      )
  return useSyncExternalStore(
    listener => cache.subscribe(notifyManager.batchCalls(listener)),
    hasFailed,
    () => false,
  )
}
