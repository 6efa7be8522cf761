'use client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { ServerIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading } from '@/app/_components/page-heading'
import { Pager } from '@/app/_components/pager'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { LostScope } from '@/app/_features/scopes/lost-scope'
import { headingLevel } from '@/app/_features/scopes/scope-paths'
import { useLive } from '@/app/_lib/use-live'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { Page } from '@/server/kernel/pagination'
import type { Topic } from '@/server/live/schema'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { DemandList } from './demand-list'
import { runnersKey, runnersPath, runnersQuery } from './queries'
import { RunnerRow } from './runner-row'
import { StateLegend } from './runner-status'

interface RunnersScreenProps {
  scope: ScopeName
  topics: readonly Topic[]
  page: number
}

/** Page that lists a scope's runners. */
export function RunnersScreen({ scope, topics, page }: RunnersScreenProps): ReactNode {
  const { data, error } = useQuery({ ...runnersQuery(scope, page), placeholderData: keepPreviousData })
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: runnersKey(scope) }))
  if (isLoss(error)) return <LostScope scope={scope} icon={ServerIcon} what="these runners" error={error} />
  return (
    <>
      <PageHeading
        title="Runners"
        level={headingLevel(scope)}
        actions={
          data?.total === 0 ? null : (
            <ButtonLink href={runnersPath(scope, 'new')} variant="primary">
              New runner
            </ButtonLink>
          )
        }
      >
        {leads[scope.kind]}
      </PageHeading>
      {data ? <Runners scope={scope} page={page} runners={data} /> : <ListSkeleton />}
    </>
  )
}

interface RunnersProps {
  scope: ScopeName
  page: number
  runners: Page<BrowsedRunner>
}

function Runners({ scope, page, runners: { items, total, limit } }: RunnersProps): ReactNode {
  return (
    <>
      {total === 0 ? (
        <EmptyState
          icon={ServerIcon}
          title="No runners yet"
          action={
            <ButtonLink href={runnersPath(scope, 'new')} variant="primary">
              New runner
            </ButtonLink>
          }
        >
          <p>Runners are programs on your own machines that run workflow jobs.</p>
          {scope.kind === 'site' ? null : (
            <p>
              Runners from {scope.kind === 'repository' ? 'the owner and ' : ''}the site can also run your
              jobs.
            </p>
          )}
        </EmptyState>
      ) : (
        <>
          <ListBox title="Runners" total={total}>
            {items.map(runner => (
              <RunnerRow key={runner.id} scope={scope} runner={runner} />
            ))}
          </ListBox>
          <StateLegend states={items.map(({ state }) => state)} />
        </>
      )}
      <Pager label="Pages of runners" page={page} limit={limit} total={total} />
      <DemandList scope={scope} />
    </>
  )
}

const leads: Record<ScopeName['kind'], string> = {
  organization: 'Runners for all repositories in this organization.',
  own: 'Runners for all your repositories.',
  repository: 'Runners for this repository only. Runners from the owner and the site can also run its jobs.',
  site: 'All runners on this site. Site-wide runners take jobs from every repository.',
}
