'use client'
import { CheckIcon, XIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { isLoss } from '@/app/_features/places/is-loss'
import { readFailure } from '@/app/_lib/failure'
import { isNever } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { visibleLine } from '@/app/_lib/visible-text'
import type { ShownJob } from '@/server/actions/pages/schema'
import type { ConsideredRunner } from '@/server/runners/waiting/schema'
import { waitingQuery } from './queries'
import styles from './waiting-panel.module.css'

interface WaitingPanelProps {
  path: RepoPath
  run: number
  job: ShownJob
  /** Said until the server has answered. */
  children: ReactNode
}

/** Why a job waits: in one sentence, and for each runner that the viewer manages, what it lacks. */
export function WaitingPanel({ path, run, job, children }: WaitingPanelProps): ReactNode {
  const { data, error } = useQuery(waitingQuery(path, run, job.id))
  const found = isLoss(error) ? undefined : data
  return (
    <section className={styles.panel} aria-labelledby="waiting">
      <h3 id="waiting" className={styles.heading}>
        Why is this job waiting?
      </h3>
      <p role="status">{isLoss(error) ? readFailure(error).message : (data?.summary ?? children)}</p>
      {found?.queued_at ? (
        <p className={styles.muted}>
          Queued <RelativeDate value={found.queued_at} />.
        </p>
      ) : null}
      {found && found.runners.length > 0 ? (
        <ul className={styles.runners} aria-label="Runners">
          {found.runners.map(runner => (
            <Runner key={runner.id} runner={runner} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const scopeWords: Record<ConsideredRunner['scope'], string> = {
  repository: 'repository’s runner',
  owner: 'owner’s runner',
  site: 'site’s runner',
}

function Runner({ runner }: { runner: ConsideredRunner }): ReactNode {
  return (
    <li className={styles.runner}>
      <p>
        <strong dir="auto">
          <QuietLink href={new URL(runner.html_url).pathname}>{visibleLine(runner.name)}</QuietLink>
        </strong>{' '}
        <span className={styles.muted}>{scopeWords[runner.scope]}</span>
      </p>
      <ul className={styles.requirements}>
        {runner.requirements.map(({ kind, label, met }) => (
          <li key={`${kind} ${label ?? ''}`} className={styles.requirement} data-met={met || undefined}>
            {kind === 'label' ? (
              <>
                {met ? <CheckIcon aria-label="Has" /> : <XIcon aria-label="Lacks" />}
                <code>{visibleLine(label ?? '')}</code>
              </>
            ) : (
              <>
                {met ? <CheckIcon /> : <XIcon />}
                {met ? requirementWords[kind] : obstacleWords[kind]}
              </>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.muted}>
        {runner.note ? <>Paused: {visibleLine(runner.note)}. </> : null}
        {runner.resume_at ? (
          <>
            Resumes <RelativeDate value={runner.resume_at} future />.{' '}
          </>
        ) : null}
        {isNever(runner.last_online) ? (
          'Never connected.'
        ) : (
          <>
            Last seen <RelativeDate value={runner.last_online} />.
          </>
        )}
      </p>
    </li>
  )
}

const requirementWords = { enabled: 'not paused', online: 'online', free: 'free' }
const obstacleWords = { enabled: 'paused', online: 'offline', free: 'busy' }
