import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { jobPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { BrowsedRunner } from '@/server/runners/pages/schema'
import styles from './runners.module.css'

/** What a runner does at this moment; nothing where it does nothing. */
export function CurrentJobs({ jobs }: Pick<BrowsedRunner, 'jobs'>): ReactNode {
  return jobs.map(({ id, run_id, name, repository }) => (
    <p key={id} className={styles.job}>
      Doing{' '}
      <QuietLink href={jobPath({ full_name: repository }, run_id, id)} inline>
        {visibleLine(name)}
      </QuietLink>{' '}
      of {repository}
    </p>
  ))
}
