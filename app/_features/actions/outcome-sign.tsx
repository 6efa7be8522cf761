'use client'
import type { ReactNode } from 'react'
import {
  CheckCircleFillIcon,
  CircleSlashIcon,
  ClockIcon,
  DotFillIcon,
  SkipIcon,
  XCircleFillIcon,
} from '@/app/_components/icons'
import styles from './outcome-sign.module.css'
import { type Outcome, outcomeLabels } from './progress'

interface OutcomeSignProps {
  outcome: Outcome
  size?: 16 | 24
}

/** Icon for the outcome of a run or job, with a text alternative. */
export function OutcomeSign({ outcome, size = 16 }: OutcomeSignProps): ReactNode {
  const named = { size, className: styles[outcome], 'aria-label': outcomeLabels[outcome] }
  switch (outcome) {
    case 'success':
      return <CheckCircleFillIcon {...named} />
    case 'failure':
      return <XCircleFillIcon {...named} />
    case 'cancelled':
      return <CircleSlashIcon {...named} />
    case 'skipped':
      return <SkipIcon {...named} />
    case 'queued':
      return <DotFillIcon {...named} />
    case 'waiting':
      return <ClockIcon {...named} />
    case 'in_progress':
      return (
        <svg
          role="img"
          aria-label={outcomeLabels.in_progress}
          className={styles.in_progress}
          viewBox="0 0 16 16"
          width={size}
          height={size}
        >
          <circle className={styles.track} cx="8" cy="8" r="6.5" />
          <path className={styles.arc} d="M8 1.5A6.5 6.5 0 0 1 14.5 8" />
          <circle className={styles.center} cx="8" cy="8" r="3" />
        </svg>
      )
  }
}
