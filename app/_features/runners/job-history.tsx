'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { RelativeDate } from '@/app/_components/relative-date'
import stepStyles from '@/app/_components/steps.module.css'
import { OutcomeSign } from '@/app/_features/actions/outcome-sign'
import { durationOf, outcomeOf } from '@/app/_features/actions/progress'
import { jobPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { RunnerJob } from '@/server/runners/schema'
import { type RunnerName, runnerJobsQuery } from './queries'
import styles from './runners.module.css'

/** Lists a runner's jobs, newest first. */
export function JobHistory({ name, page }: { name: RunnerName; page: number }): ReactNode {
  const { data } = useQuery({ ...runnerJobsQuery(name, page), placeholderData: keepPreviousData })
  if (!data) return <ListSkeleton />
  return (
    <>
      <ListBox title="Jobs" total={data.total}>
        {data.items.map(job => (
          <JobRow key={`${job.id} ${job.started_at}`} job={job} />
        ))}
        {data.total === 0 ? <li className={styles.none}>This runner hasn’t run any jobs yet.</li> : null}
      </ListBox>
      <Pager label="Pages of jobs" page={page} limit={data.limit} total={data.total} />
    </>
  )
}

function JobRow({ job }: { job: RunnerJob }): ReactNode {
  const { id, run_id, run_number, name, repository, workflow, started_at } = job
  const duration = durationOf(job)
  return (
    <ListRow visual={<OutcomeSign outcome={outcomeOf(job)} />}>
      <div className={styles.head}>
        <strong className={styles.name}>
          <bdi>
            <QuietLink href={jobPath({ full_name: repository }, run_id, id)}>{visibleLine(name)}</QuietLink>
          </bdi>
        </strong>
        <span className={stepStyles.hint}>
          {repository} · <bdi>{visibleLine(workflow)}</bdi> #{run_number}
        </span>
      </div>
      <RowFacts>
        <span>
          Started <RelativeDate value={started_at} />
        </span>
        {duration === undefined ? null : <span>Took {duration}</span>}
      </RowFacts>
    </ListRow>
  )
}
