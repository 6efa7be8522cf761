'use client'
import type { CSSProperties, ReactNode } from 'react'
import { LabelList } from '@/app/_components/label-list'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { counted } from '@/app/_lib/format'
import { jobPath } from '@/app/_lib/paths'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import type { ShownJob } from '@/server/actions/runs/schema'
import styles from './job-list.module.css'
import { OutcomeSign } from './outcome-sign'
import {
  callText,
  countOutcomes,
  countText,
  durationOf,
  outcomeLabels,
  outcomeOf,
  reasonOf,
  shortEndOf,
} from './progress'

interface JobListProps {
  repository: { full_name: string }
  run: number
  jobs: readonly ShownJob[]
  /** Number of the attempt shown. */
  attempt: number
}

/**
 * Lists an attempt's jobs in the order of the workflow. A large matrix is collapsed unless one of its jobs
 * failed.
 */
export function JobList({ repository, run, jobs, attempt }: JobListProps): ReactNode {
  const hrefOf = ({ id }: ShownJob): string => jobPath(repository, run, id)
  return (
    <section className={styles.box} aria-label="Jobs">
      <div className={styles.head}>
        <h3 className={styles.heading}>Jobs</h3>
        <span className={styles.counts}>{countText(jobs)}</span>
      </div>
      <div className={styles.bar} aria-hidden="true">
        {countOutcomes(jobs).map(({ outcome, count }) => (
          <span key={outcome} data-outcome={outcome} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul>
        {matricesOf(jobs).map(ofKey => {
          const [{ id, key } = { id: 0, key: '' }] = ofKey
          return ofKey.length > openUpTo ? (
            <Matrix key={id} name={key} jobs={ofKey} all={jobs} attempt={attempt} hrefOf={hrefOf} />
          ) : (
            ofKey.map(job => (
              <JobRow key={job.id} job={job} jobs={jobs} attempt={attempt} href={hrefOf(job)} />
            ))
          )
        })}
      </ul>
    </section>
  )
}

const openUpTo = 8

/** Groups jobs that follow each other and belong to one matrix. */
function matricesOf(jobs: readonly ShownJob[]): ShownJob[][] {
  const groups: ShownJob[][] = []
  for (const job of jobs) {
    const last = groups.at(-1)
    const isSame = last?.[0]?.key === job.key && last[0].workflow === job.workflow
    if (isSame) last?.push(job)
    else groups.push([job])
  }
  return groups
}

interface MatrixProps {
  name: string
  jobs: readonly ShownJob[]
  all: readonly ShownJob[]
  attempt: number
  hrefOf: (job: ShownJob) => string
}

/** Collapsible list of a matrix's jobs. It never opens or closes automatically. */
function Matrix({ name, jobs, all, attempt, hrefOf }: MatrixProps): ReactNode {
  const [worst] = countOutcomes(jobs)
  return (
    <li className={styles.matrix}>
      <details open={jobs.some(job => outcomeOf(job) === 'failure')}>
        <summary className={styles.summary}>
          <span className={styles.sign}>{worst ? <OutcomeSign outcome={worst.outcome} /> : null}</span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <span className={styles.muted}>
            {counted(jobs.length, 'job', 'jobs')}: {countText(jobs)}
          </span>
        </summary>
        <ul>
          {jobs.map(job => (
            <JobRow key={job.id} job={job} jobs={all} attempt={attempt} href={hrefOf(job)} />
          ))}
        </ul>
      </details>
    </li>
  )
}

interface JobRowProps {
  job: ShownJob
  jobs: readonly ShownJob[]
  attempt: number
  href: string
}

function JobRow({ job, jobs, attempt, href }: JobRowProps): ReactNode {
  const outcome = outcomeOf(job)
  return (
    <li className={styles.row} style={{ '--depth': job.depth } as CSSProperties}>
      <span className={styles.sign}>
        <OutcomeSign outcome={outcome} />
      </span>
      <div className={styles.main}>
        <h4 className={styles.name}>
          <bdi>
            <QuietLink href={href}>{visibleLine(job.name)}</QuietLink>
          </bdi>
        </h4>
        <p className={styles.facts}>
          <JobState job={job} jobs={jobs} />
          {outcome === 'queued' ? (
            <QuietLink href={href} name={`See why ${isolated(job.name)} is waiting`} inline>
              See why
            </QuietLink>
          ) : null}
          {job.needs.length > 0 && outcome !== 'waiting' ? (
            <span>needs {job.needs.map(isolated).join(', ')}</span>
          ) : null}
          {job.uses === null ? null : (
            <span>
              calls <code>{visibleLine(job.uses)}</code>
            </span>
          )}
          {job.attempt < attempt ? <span>last run in attempt {job.attempt}</span> : null}
        </p>
      </div>
      <div className={styles.labels}>
        <LabelList labels={job.labels} />
      </div>
    </li>
  )
}

function JobState({ job, jobs }: Pick<JobRowProps, 'job' | 'jobs'>): ReactNode {
  const outcome = outcomeOf(job)
  const reason = (job.status !== 'completed' && callText(job, jobs)) || reasonOf(job, jobs)
  if (reason) return <span>{reason}</span>
  const duration = durationOf(job)
  const end = shortEndOf(job)
  if (duration || end) {
    return (
      <span>
        {outcomeLabels[outcome]}
        {duration ? ` ${outcome === 'success' ? 'in' : 'after'} ${duration}` : null}
        {end ? (
          <>
            : <bdi>{visibleLine(end)}</bdi>
          </>
        ) : null}
      </span>
    )
  }
  return (
    <span>
      {outcomeLabels[outcome]}
      {job.started_at ? (
        <>
          , started <RelativeDate value={job.started_at} />
        </>
      ) : null}
    </span>
  )
}
