'use client'
import { CheckIcon, XIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RelativeDate } from '@/app/_components/relative-date'
import { isNever } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
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
  const { data } = useQuery(waitingQuery(path, run, job.id))
  return (
    <section className={styles.panel} aria-labelledby="waiting">
      <h3 id="waiting" className={styles.heading}>
        Why is this job waiting?
      </h3>
      <p role="status">{data?.summary ?? children}</p>
      {data?.queued_at ? (
        <p className={styles.muted}>
          Waiting since <RelativeDate value={data.queued_at} />.
        </p>
      ) : null}
      {data && data.runners.length > 0 ? (
        <ul className={styles.runners} aria-label="Runners">
          {data.runners.map(runner => (
            <Runner key={runner.id} runner={runner} />
          ))}
        </ul>
      ) : null}
    </section>
  )
}

const scopeWords: Record<ConsideredRunner['scope'], string> = {
  repository: 'of the repository',
  owner: 'of the owner',
  site: 'of the site',
}

function Runner({ runner }: { runner: ConsideredRunner }): ReactNode {
  return (
    <li className={styles.runner}>
      <p>
        <strong>{runner.name}</strong> <span className={styles.muted}>{scopeWords[runner.scope]}</span>
      </p>
      <ul className={styles.requirements}>
        {runner.requirements.map(({ kind, label, met }) => (
          <li key={`${kind} ${label ?? ''}`} className={styles.requirement} data-met={met || undefined}>
            {met ? <CheckIcon aria-label="Met" /> : <XIcon aria-label="Not met" />}
            {kind === 'label' ? <code>{label}</code> : requirementWords[kind]}
          </li>
        ))}
      </ul>
      <p className={styles.muted}>
        {runner.note ? <>Paused: {runner.note}. </> : null}
        {runner.resume_at ? `It resumes on ${exact(runner.resume_at)}. ` : null}
        {isNever(runner.last_online) ? (
          'It has never connected.'
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

const exact = (time: string): string =>
  new Date(time).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
