import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { jobPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { BrowsedRunner, RunnerState } from '@/server/runners/manage/schema'
import styles from './runners.module.css'

interface StateLabels {
  label: string
  about: string
  variant: 'success' | 'accent' | 'attention' | 'secondary'
}

export const stateLabels: Record<RunnerState, StateLabels> = {
  idle: { label: 'Idle', about: 'Online and waiting for a job.', variant: 'success' },
  busy: { label: 'Busy', about: 'Running a job.', variant: 'accent' },
  offline: {
    label: 'Offline',
    about: 'Hasn’t connected in more than a minute. Won’t get jobs until you start it again.',
    variant: 'secondary',
  },
  paused: {
    label: 'Paused',
    about: 'Doesn’t get new jobs. A job that’s already running will continue.',
    variant: 'attention',
  },
  never: {
    label: 'Never connected',
    about: 'Registered but hasn’t connected yet. Start it with: gitea-runner daemon',
    variant: 'secondary',
  },
}

/** Label with a runner's state. */
export function StateLabel({ state }: { state: RunnerState }): ReactNode {
  const { label, variant } = stateLabels[state]
  return <Label variant={variant}>{label}</Label>
}

/** Explains the runner states shown on the page. */
export function StateLegend({ states }: { states: Iterable<RunnerState> }): ReactNode {
  return (
    <details className={styles.legend}>
      <summary>What the states mean</summary>
      <dl>
        {[...new Set(states)].map(state => (
          <div key={state}>
            <dt>{stateLabels[state].label}</dt>
            <dd>{stateLabels[state].about}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Lists the jobs that a runner is running. Renders nothing if there are none. */
export function CurrentJobs({ jobs }: Pick<BrowsedRunner, 'jobs'>): ReactNode {
  return jobs.map(({ id, run_id, name, repository }) => (
    <p key={id} className={styles.job}>
      Running{' '}
      <QuietLink href={jobPath({ full_name: repository }, run_id, id)} inline>
        <bdi>{visibleLine(name)}</bdi>
      </QuietLink>{' '}
      in {repository}
    </p>
  ))
}

/** Shows who paused a runner, when, why, and until when. Renders nothing unless it is paused. */
export function PauseNote({ runner }: { runner: BrowsedRunner }): ReactNode {
  const { paused_at: since, paused_by: by, note, resume_at: end } = runner
  if (since === null) return null
  return (
    <p className={styles.note}>
      Paused {by === null ? '' : `by ${by} `}
      <RelativeDate value={since} />
      {end === null ? null : (
        <>
          , resumes <RelativeDate value={end} future />
        </>
      )}
      {note ? (
        <>
          : <bdi>{visibleLine(note)}</bdi>
        </>
      ) : (
        '.'
      )}
    </p>
  )
}
