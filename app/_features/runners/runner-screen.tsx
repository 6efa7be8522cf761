'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DangerItem, DangerZone } from '@/app/_components/danger-zone'
import { EmptyState } from '@/app/_components/empty-state'
import { Fact, FactList } from '@/app/_components/fact-list'
import { ServerIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Trail } from '@/app/_components/page-heading'
import { RelativeDate } from '@/app/_components/relative-date'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { LostScope } from '@/app/_features/scopes/lost-scope'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { readFailure } from '@/app/_lib/failure'
import { isNever } from '@/app/_lib/format'
import { useLive } from '@/app/_lib/use-live'
import { visibleLine } from '@/app/_lib/visible-text'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { Topic } from '@/server/live/schema'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import { DeleteButton } from './delete-button'
import { JobHistory } from './job-history'
import { LabelsForm } from './labels-form'
import { PauseButton } from './pause-button'
import { type RunnerName, runnerQuery, runnersKey, runnersPath } from './queries'
import { CurrentJobs, PauseNote, StateLabel, stateLabels } from './runner-status'
import styles from './runners.module.css'

interface RunnerScreenProps {
  name: RunnerName
  topics: readonly Topic[]
  page: number
}

/** Page of a single runner, with all its actions. */
export function RunnerScreen({ name, topics, page }: RunnerScreenProps): ReactNode {
  const { scope } = name
  const { data: runner, error } = useQuery(runnerQuery(name))
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: runnersKey(scope) }))
  if (isLoss(error)) return <LostRunner name={name} error={error} />
  if (!runner) return <ListSkeleton />
  const Title = headingLevel(scope) === 1 ? 'h1' : 'h2'
  return (
    <>
      <Trail
        steps={[
          { href: runnersPath(scope), label: 'Runners' },
          { href: runnersPath(scope, runner.id), label: visibleLine(runner.name).slice(0, 60) },
        ]}
      />
      <div className={styles.heading}>
        <Title className={styles.title}>
          <bdi>{visibleLine(runner.name)}</bdi>
        </Title>
        <StateLabel state={runner.state} />
        <div className={styles.tools}>
          <PauseButton scope={scope} runner={runner} size="medium" />
        </div>
      </div>
      <div className={styles.about}>
        <p>{stateLabels[runner.state].about}</p>
        <PauseNote runner={runner} />
        <CurrentJobs jobs={runner.jobs} />
      </div>
      <Facts runner={runner} />
      <div className={styles.section}>
        <LabelsForm name={name} runner={runner} />
      </div>
      <JobHistory name={name} page={page} />
      <div className={styles.section}>
        <DangerZone>
          <DangerItem title="Delete this runner">
            <p className={styles.about}>It can’t connect again unless you register it again.</p>
            <DeleteButton name={name} runner={runner} />
          </DangerItem>
        </DangerZone>
      </div>
    </>
  )
}

function Facts({ runner }: { runner: BrowsedRunner }): ReactNode {
  const { last_online: lastOnline, status, version, created_at, owner, ephemeral } = runner
  return (
    <FactList>
      <Fact term="Last seen">
        {isNever(lastOnline) ? (
          'Never'
        ) : status === 'online' ? (
          'Within the last minute'
        ) : (
          <RelativeDate value={lastOnline} />
        )}
      </Fact>
      <Fact term="Version">{version ? visibleLine(version) : 'Unknown'}</Fact>
      <Fact term="Registered">
        <RelativeDate value={created_at} />
      </Fact>
      <Fact term="Runs jobs from">{owner === null ? 'All repositories' : owner}</Fact>
      {ephemeral ? <Fact term="Kind">Ephemeral (deleted after one job)</Fact> : null}
    </FactList>
  )
}

function LostRunner({ name: { scope }, error }: { name: RunnerName; error: unknown }): ReactNode {
  const { reason } = readFailure(error)
  if (reason?.code !== 'gone' || reason.what !== 'runner') {
    return <LostScope scope={scope} icon={ServerIcon} what="this runner" error={error} />
  }
  return (
    <EmptyState
      icon={ServerIcon}
      title="This runner was deleted"
      action={<ButtonLink href={runnersPath(scope)}>Show all runners</ButtonLink>}
    />
  )
}
