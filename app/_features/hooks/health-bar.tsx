import type { ReactNode } from 'react'
import styles from './health-bar.module.css'

const width = 100
const height = 16
/** Successful attempts are lower, so that failures are visible without colors. */
const tops = { '+': 5, '-': 0 }

/** Chart of the last attempts, oldest first: `+` for each success and `-` for each failure. */
export function HealthBar({ outcomes }: { outcomes: string }): ReactNode {
  const failed = outcomes.split('-').length - 1
  return (
    <div className={styles.health}>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={healthText(outcomes.length, failed)}
      >
        <path className={styles.free} d={columns(0, width - outcomes.length, 5)} />
        <path className={styles.good} d={columnsOf(outcomes, '+')} />
        <path className={styles.bad} d={columnsOf(outcomes, '-')} />
      </svg>
      <span className={styles.sum} aria-hidden="true">
        {outcomes === ''
          ? 'No events sent yet'
          : failed === 0
            ? 'No failures'
            : `${failed} of ${outcomes.length} failed`}
      </span>
    </div>
  )
}

function healthText(attempts: number, failed: number): string {
  if (attempts === 0) return 'No events sent yet.'
  if (attempts === 1) return failed === 1 ? 'The only attempt failed.' : 'The only attempt succeeded.'
  if (failed === 0) return `All of the last ${attempts} attempts succeeded.`
  if (failed === attempts) return `All of the last ${attempts} attempts failed.`
  return `Of the last ${attempts} attempts, ${attempts - failed} succeeded and ${failed} failed.`
}

/** Returns the columns of one outcome as a single path. */
function columnsOf(outcomes: string, outcome: '+' | '-'): string {
  const first = width - outcomes.length
  return Array.from(outcomes, (each, at) =>
    each === outcome ? columns(first + at, 1, tops[outcome]) : '',
  ).join('')
}

function columns(from: number, count: number, top: number): string {
  return Array.from({ length: count }, (_, at) => `M${from + at + 0.1} ${top}h.8V${height}h-.8z`).join('')
}
