'use client'
import type { ReactNode } from 'react'
import { type Liveness, useLiveness } from '@/app/_lib/use-live'
import styles from './live-mark.module.css'
import { RelativeDate } from './relative-date'

const words: Record<Liveness['state'], string> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  paused: 'Updates paused',
  over: 'Not live',
}

/** Says whether what the page shows changes by itself, and when it did last. */
export function LiveMark(): ReactNode {
  const { state, toldAt } = useLiveness()
  return (
    <span className={styles.mark} data-state={state}>
      <span className={styles.dot} aria-hidden="true" />
      <span role="status">{words[state]}</span>
      {toldAt === undefined ? null : (
        <span>
          , updated <RelativeDate value={new Date(toldAt).toISOString()} />
        </span>
      )}
    </span>
  )
}
