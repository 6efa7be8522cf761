'use client'
import { ServerIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { QuietLink } from '@/app/_components/links'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { isNever } from '@/app/_lib/format'
import { visibleLine } from '@/app/_lib/visible-text'
import type { PlaceName } from '@/server/places/schema'
import type { BrowsedRunner } from '@/server/runners/pages/schema'
import { CurrentJobs } from './current-jobs'
import { PauseButton } from './pause-button'
import { runnersPath } from './queries'
import { RunnerLabels } from './runner-labels'
import { StateLabel } from './runner-state'
import styles from './runners.module.css'

interface RunnerRowProps {
  place: PlaceName
  runner: BrowsedRunner
}

/** One runner in a list. */
export function RunnerRow({ place, runner }: RunnerRowProps): ReactNode {
  const { id, name, ephemeral, labels, version, last_online: lastOnline, status, owner } = runner
  return (
    <ListRow visual={<ServerIcon size={24} />} action={<PauseButton place={place} runner={runner} />}>
      <div className={styles.head}>
        <strong className={styles.name} dir="auto">
          <QuietLink href={runnersPath(place, id)}>{visibleLine(name)}</QuietLink>
        </strong>
        <StateLabel runner={runner} />
        {ephemeral ? (
          <Label variant="secondary" title="It does one job, and is deleted after it.">
            One job
          </Label>
        ) : null}
      </div>
      <CurrentJobs jobs={runner.jobs} />
      <PauseNote runner={runner} />
      <RunnerLabels labels={labels.map(label => label.name)} />
      <RowFacts>
        {isNever(lastOnline) ? (
          <span>
            Registered <RelativeDate value={runner.created_at} />
          </span>
        ) : status === 'online' ? (
          <span>Online</span>
        ) : (
          <span>
            Last seen <RelativeDate value={lastOnline} />
          </span>
        )}
        {version ? <span>Version {visibleLine(version)}</span> : null}
        {place.scope === 'site' ? <span>{owner === null ? 'Of the site' : `Of ${owner}`}</span> : null}
      </RowFacts>
    </ListRow>
  )
}

/** Who paused a runner, since when, why and until when; nothing unless it is paused. */
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
      {note ? <span dir="auto">: {visibleLine(note)}</span> : '.'}
    </p>
  )
}
