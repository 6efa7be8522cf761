'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { ServerIcon } from '@/app/_components/icons'
import { LabelList } from '@/app/_components/label-list'
import { QuietLink } from '@/app/_components/links'
import { RelativeDate } from '@/app/_components/relative-date'
import { isNever } from '@/app/_lib/format'
import { visibleLine } from '@/app/_lib/visible-text'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { PauseButton } from './pause-button'
import { runnersPath } from './queries'
import { CurrentJobs, PauseNote, StateLabel } from './runner-status'
import styles from './runners.module.css'

interface RunnerRowProps {
  scope: ScopeName
  runner: BrowsedRunner
}

/** Row of a runner in a list. */
export function RunnerRow({ scope, runner }: RunnerRowProps): ReactNode {
  const { id, name, ephemeral, labels, version, last_online: lastOnline, status, owner } = runner
  return (
    <ListRow visual={<ServerIcon size={24} />} action={<PauseButton scope={scope} runner={runner} />}>
      <div className={styles.head}>
        <strong className={styles.name}>
          <bdi>
            <QuietLink href={runnersPath(scope, id)}>{visibleLine(name)}</QuietLink>
          </bdi>
        </strong>
        <StateLabel state={runner.state} />
      </div>
      <CurrentJobs jobs={runner.jobs} />
      <PauseNote runner={runner} />
      <LabelList labels={labels.map(label => label.name)} />
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
        {ephemeral ? <span>Deleted after one job</span> : null}
        {scope.kind === 'site' ? <span>{owner === null ? 'For the whole site' : `For ${owner}`}</span> : null}
      </RowFacts>
    </ListRow>
  )
}
