'use client'
import type { ReactNode } from 'react'
import styles from './list-skeleton.module.css'
import { SkeletonBox } from './primer'

/** Placeholder of a loading page. Invisible at first, so that fast responses don't flicker. */
export function ListSkeleton({ rows = 3 }: { rows?: number }): ReactNode {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading" data-pending="">
      <SkeletonBox height="32px" width="14rem" />
      <SkeletonBox height="20px" width="min(100%, 28rem)" />
      <div className={styles.rows}>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <SkeletonBox key={row} height="72px" />
        ))}
      </div>
    </div>
  )
}
