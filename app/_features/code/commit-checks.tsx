import type { ReactNode } from 'react'
import {
  AlertFillIcon,
  CheckCircleFillIcon,
  DotFillIcon,
  type Icon,
  SkipIcon,
  XCircleFillIcon,
} from '@/app/_components/icons'
import { RelativeDate } from '@/app/_components/relative-date'
import type { CombinedStatus, CommitStatus } from '@/server/statuses/schema'
import styles from './commit-checks.module.css'

/** What CI systems and runs report about a commit: the newest status of each context, those first that need attention. */
export function CommitChecks({ status }: { status: CombinedStatus }): ReactNode {
  const { state, statuses, total_count: total } = status
  if (total === 0) return null
  const ordered = statuses.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <details className={styles.checks} open={state === 'failure'}>
      <summary className={styles.summary}>
        <Sign state={state} /> {titles[state]}
        <span className={styles.count}>
          {total.toLocaleString('en-US')} {total === 1 ? 'check' : 'checks'}
        </span>
      </summary>
      <ul className={styles.list} aria-label="Checks">
        {ordered.map(check => (
          <Check key={check.id} check={check} />
        ))}
      </ul>
      {total > statuses.length ? (
        <p className={styles.more}>And {(total - statuses.length).toLocaleString('en-US')} more.</p>
      ) : null}
    </details>
  )
}

const order: readonly CommitStatus['status'][] = [
  'failure',
  'error',
  'warning',
  'pending',
  'success',
  'skipped',
]

const titles: Record<CombinedStatus['state'], string> = {
  success: 'All checks passed',
  failure: 'Some checks failed',
  pending: 'Some checks haven’t completed yet',
}

function Check({ check }: { check: CommitStatus }): ReactNode {
  const { status, context, description, target_url: url, created_at } = check
  const name = <bdi>{context || 'Unnamed check'}</bdi>
  return (
    <li className={styles.check}>
      <Sign state={status} />
      <span className={styles.text}>
        <strong>
          {url ? (
            <a href={url} rel="noopener nofollow" className={styles.link}>
              {name}
            </a>
          ) : (
            name
          )}
        </strong>{' '}
        <bdi className={styles.description}>{description}</bdi>
      </span>
      <RelativeDate value={created_at} />
    </li>
  )
}

const signs: Record<CommitStatus['status'], [icon: Icon, label: string]> = {
  success: [CheckCircleFillIcon, 'Passed'],
  failure: [XCircleFillIcon, 'Failed'],
  error: [AlertFillIcon, 'Error'],
  warning: [AlertFillIcon, 'Warning'],
  skipped: [SkipIcon, 'Skipped'],
  pending: [DotFillIcon, 'Pending'],
}

function Sign({ state }: { state: CommitStatus['status'] }): ReactNode {
  const [SignIcon, label] = signs[state]
  return <SignIcon className={styles[state]} aria-label={label} />
}
