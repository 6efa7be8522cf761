'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { CommitId } from '@/app/_components/commit-id'
import { EmptyState } from '@/app/_components/empty-state'
import { FreshButton } from '@/app/_components/fresh-button'
import { PlayIcon } from '@/app/_components/icons'
import { ButtonLink, QuietLink, TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Pager } from '@/app/_components/pager'
import { Button } from '@/app/_components/primer'
import { QuerySelect } from '@/app/_components/query-controls'
import { RelativeDate } from '@/app/_components/relative-date'
import { counted } from '@/app/_lib/format'
import { repositoryPath, runPath } from '@/app/_lib/paths'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useLive } from '@/app/_lib/use-live'
import { isBeingUsed, useStableRows } from '@/app/_lib/use-stable-rows'
import { visibleLine } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import type { BrowsedRuns, ShownRun } from '@/server/actions/runs/schema'
import styles from './actions.module.css'
import { BadgeButton } from './badge-button'
import { NoRuns } from './no-runs'
import { OutcomeSign } from './outcome-sign'
import { durationOf, outcomeOf } from './progress'
import { fallbackInterval, runsQuery } from './queries'
import { RefName } from './ref-name'
import { isFiltered, type RunChoice, stateChoices } from './run-choice'
import { StartRun } from './start-run'

export interface ActionsRepository {
  id: number
  owner: { login: string }
  name: string
  full_name: string
  html_url: string
  default_branch: string
  permissions: { admin: boolean }
}

interface RunsScreenProps {
  repository: ActionsRepository
  choice: RunChoice
  /** Whether live updates are on. Only signed-in people receive them. */
  isFollowed: boolean
}

/**
 * Lists a repository's runs, newest first. New runs appear only on request, so that no row moves under the
 * pointer.
 */
export function RunsScreen({ repository, choice, isFollowed }: RunsScreenProps): ReactNode {
  const path = { owner: repository.owner.login, repo: repository.name }
  const queryClient = useQueryClient()
  useLive(
    isFollowed ? [{ topic: 'runs', id: repository.id }] : [],
    () => void queryClient.invalidateQueries({ queryKey: ['runs', path.owner, path.repo] }),
  )
  const form = useAddForm()
  const { data, isPlaceholderData } = useQuery({
    ...runsQuery(path, choice),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => fallbackInterval(isFollowed, ...(state.data?.items ?? [])),
  })
  useFreshTabs(isFiltered(choice) ? undefined : data?.total)
  if (!data) return <ListSkeleton />
  const isEmpty = data.total === 0 && !isFiltered(choice)
  return (
    <>
      <div className={styles.tools}>
        {isEmpty ? <span /> : <Filters choice={choice} found={data} />}
        <span className={styles.side}>
          <TextLink href={repositoryPath(repository, 'actions/workflows')}>Workflows</TextLink>
          {choice.workflow ? (
            <BadgeButton
              repository={repository}
              file={choice.workflow}
              name={data.items[0]?.workflow_name ?? choice.workflow}
              branches={data.branches}
              events={data.events}
            />
          ) : null}
          {data.may_write ? (
            <Button
              ref={form.opener}
              variant={form.open ? 'default' : 'primary'}
              aria-expanded={form.open}
              onClick={form.open ? form.hide : form.show}
            >
              {form.open ? 'Cancel' : 'Run workflow'}
            </Button>
          ) : null}
        </span>
      </div>
      {form.open && data.may_write ? <StartRun repository={repository} /> : null}
      {isEmpty ? (
        <NoRuns repository={repository} mayWrite={data.may_write} />
      ) : (
        <Runs repository={repository} choice={choice} found={data} isFormer={isPlaceholderData} />
      )}
    </>
  )
}

/** Refreshes the repository's tabs, which show the number of runs, when that number changes. */
function useFreshTabs(total: number | undefined): void {
  const known = useRef(total)
  useEffect(() => {
    if (total === undefined || total === known.current) return
    if (known.current !== undefined) refreshPage()
    known.current = total
  }, [total])
}

function Filters({ choice, found }: { choice: RunChoice; found: BrowsedRuns }): ReactNode {
  const offered = (names: readonly string[], selected: string, all: string) => [
    { value: '', label: all },
    ...[...new Set([...names, ...(selected ? [selected] : [])])].map(name => ({ value: name, label: name })),
  ]
  return (
    <div className={styles.filters}>
      <QuerySelect label="Status" name="status" value={choice.state} choices={stateChoices} />
      <QuerySelect
        label="Branch"
        name="branch"
        value={choice.branch}
        choices={offered(found.branches, choice.branch, 'Any branch')}
      />
      <QuerySelect
        label="Event"
        name="event"
        value={choice.event}
        choices={offered(found.events, choice.event, 'Any event')}
      />
      <QuerySelect
        label="Workflow"
        name="workflow"
        value={choice.workflow}
        choices={offered(found.workflows, choice.workflow, 'Any workflow')}
      />
    </div>
  )
}

interface RunsProps {
  repository: ActionsRepository
  choice: RunChoice
  found: BrowsedRuns
  /** Whether the rows belong to earlier filters, while the current ones are being fetched. */
  isFormer: boolean
}

function Runs({ repository, choice, found, isFormer }: RunsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const stable = useStableRows(
    found.items,
    isFormer ? 'former' : JSON.stringify(choice),
    () => !isBeingUsed(list.current),
  )
  if (stable.rows.length === 0 && !stable.isBehind) {
    return (
      <EmptyState
        icon={PlayIcon}
        title="No matching runs"
        action={<ButtonLink href={repositoryPath(repository, 'actions')}>Show all runs</ButtonLink>}
      >
        <p>No runs match these filters.</p>
      </EmptyState>
    )
  }
  return (
    <div ref={list} aria-busy={isFormer}>
      <FreshButton rows={stable} one="run" many="runs" />
      <ListBox title="Runs" total={found.total}>
        {stable.rows.map(run => (
          <RunRow key={run.id} repository={repository} run={run} />
        ))}
      </ListBox>
      <Pager label="Pages of runs" page={choice.page} limit={found.limit} total={found.total} />
    </div>
  )
}

function RunRow({ repository, run }: { repository: ActionsRepository; run: ShownRun }): ReactNode {
  const duration = durationOf(run)
  return (
    <ListRow
      visual={<OutcomeSign outcome={outcomeOf(run)} />}
      action={
        <span className={styles.times}>
          <RelativeDate value={run.created_at} />
          {duration ? <span>{duration}</span> : null}
        </span>
      }
    >
      <h3 className={styles.runTitle}>
        <bdi>
          <QuietLink href={runPath(repository, run.id)}>{visibleLine(run.title)}</QuietLink>
        </bdi>
      </h3>
      <RowFacts>
        <span>
          <bdi>{visibleLine(run.workflow_name)}</bdi> <strong>#{run.number}</strong>
        </span>
        <span>
          {run.event}
          {run.actor ? (
            <>
              {' '}
              by{' '}
              <QuietLink href={`/${run.actor.login}`} inline>
                {run.actor.login}
              </QuietLink>
            </>
          ) : null}
        </span>
        {run.ref ? <RefName repository={repository} name={run.ref} /> : null}
        {run.sha ? <CommitId repository={repository} sha={run.sha} /> : null}
        {run.attempt > 1 ? <span>attempt {run.attempt}</span> : null}
        {run.artifact_count > 0 ? <span>{counted(run.artifact_count, 'artifact', 'artifacts')}</span> : null}
      </RowFacts>
    </ListRow>
  )
}
