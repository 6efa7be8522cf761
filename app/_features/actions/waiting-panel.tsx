'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CheckIcon, XIcon } from '@/app/_components/icons'
import { ButtonLink, QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { newRunnerPath } from '@/app/_features/scopes/scope-paths'
import { readFailure } from '@/app/_lib/failure'
import { isNever } from '@/app/_lib/format'
import type { RepoPath } from '@/app/_lib/paths'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import type { ShownJob } from '@/server/actions/runs/schema'
import type { ConsideredRunner, WaitingExplanation } from '@/server/runners/waiting/schema'
import { waitingQuery } from './queries'
import styles from './waiting-panel.module.css'

interface WaitingPanelProps {
  path: RepoPath
  /** Whether the viewer manages the repository's runners. */
  mayManage: boolean
  run: number
  job: ShownJob
  /** Shown until the server has responded. */
  children: ReactNode
}

/** Explains why a job is waiting, and what each runner that the viewer manages lacks to run it. */
export function WaitingPanel({ path, mayManage, run, job, children }: WaitingPanelProps): ReactNode {
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
      {found && mayManage ? <Remedy path={path} job={job} reason={found.reason} /> : null}
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

interface RemedyProps {
  path: RepoPath
  job: ShownJob
  reason: WaitingExplanation['reason']
}

/** Button that opens the setup of a new runner if no existing runner is suitable. */
function Remedy({ path, job, reason }: RemedyProps): ReactNode {
  if (reason !== 'no_runner' && reason !== 'labels') return null
  const scope = { kind: 'repository', ...path } as const
  return (
    <div className={styles.remedy}>
      <ButtonLink href={newRunnerPath(scope, job.labels)} size="small">
        {reason === 'no_runner'
          ? 'Set up a runner'
          : `Add a runner with ${job.labels.map(isolated).join(', ')}`}
      </ButtonLink>
    </div>
  )
}

const scopeText: Record<ConsideredRunner['scope'], string> = {
  repository: 'repository’s runner',
  owner: 'owner’s runner',
  site: 'site’s runner',
}

function Runner({ runner }: { runner: ConsideredRunner }): ReactNode {
  return (
    <li className={styles.runner}>
      <p>
        <strong>
          <bdi>
            <QuietLink href={new URL(runner.html_url).pathname}>{visibleLine(runner.name)}</QuietLink>
          </bdi>
        </strong>{' '}
        <span className={styles.muted}>{scopeText[runner.scope]}</span>
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
                {met ? requirementText[kind] : obstacleText[kind]}
              </>
            )}
          </li>
        ))}
      </ul>
      <p className={styles.muted}>
        {runner.note ? (
          <>
            Paused: <bdi>{visibleLine(runner.note)}</bdi>.{' '}
          </>
        ) : null}
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

const requirementText = { enabled: 'not paused', online: 'online', free: 'free' }
const obstacleText = { enabled: 'paused', online: 'offline', free: 'busy' }
