'use client'
import { ArrowRightIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import type { AccessMode } from '@/server/access/access-mode'
import styles from './change-review.module.css'
import { modeWords } from './unit-words'

export function ModeChange({ before, after }: { before: AccessMode; after: AccessMode }): ReactNode {
  return (
    <span className={styles.change}>
      {modeWords[before].toLowerCase()} <ArrowRightIcon size={12} aria-label="becomes" />{' '}
      {modeWords[after].toLowerCase()}
    </span>
  )
}
