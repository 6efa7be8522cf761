import { queryOptions } from '@tanstack/react-query'
import { settingsPath } from '@/app/_features/scopes/scope-paths'
import { trpc } from '@/app/_lib/trpc'
import type { ScopeName } from '@/server/scopes/schema'

/** Identifies a runner in API calls of pages. */
export interface RunnerName {
  scope: ScopeName
  id: number
}

/** Returns the path of a page about a scope's runners. Without a segment, that of their list. */
export const runnersPath = (scope: ScopeName, segment?: string | number): string =>
  settingsPath(scope, segment === undefined ? 'actions/runners' : `actions/runners/${segment}`)

/** Prefix of the query keys of a scope's runners. */
export const runnersKey = (scope: ScopeName) => ['runners', scope] as const

// Polled, because nothing reports that a runner fell silent; other changes also invalidate these queries live.
const refetchInterval = 15_000

export const runnersQuery = (scope: ScopeName, page: number) =>
  queryOptions({
    queryKey: [...runnersKey(scope), 'list', page],
    queryFn: () => trpc.runners.manage.browse.query({ scope, page }),
    refetchInterval,
  })

export const demandQuery = (scope: ScopeName) =>
  queryOptions({
    queryKey: [...runnersKey(scope), 'demand'],
    queryFn: () => trpc.runners.manage.browseDemand.query({ scope }),
    refetchInterval,
  })

export const runnerQuery = ({ scope, id }: RunnerName) =>
  queryOptions({
    queryKey: [...runnersKey(scope), 'one', id],
    queryFn: () => trpc.runners.manage.get.query({ scope, id }),
    refetchInterval,
    retry: false,
  })

export const runnerJobsQuery = ({ scope, id }: RunnerName, page: number) =>
  queryOptions({
    queryKey: [...runnersKey(scope), 'jobs', id, page],
    queryFn: () => trpc.runners.manage.listJobs.query({ scope, id, page, limit: 20 }),
    refetchInterval,
  })

/** Returns the runners registered since the page was opened. */
export const registeredQuery = (scope: ScopeName, lastId: number) =>
  queryOptions({
    queryKey: [...runnersKey(scope), 'since', lastId],
    queryFn: () => trpc.runners.manage.listRegisteredSince.query({ scope, last_id: lastId }),
    refetchInterval,
  })

export const setUpQuery = (scope: ScopeName) =>
  queryOptions({
    queryKey: [...runnersKey(scope), 'set-up'],
    queryFn: () => trpc.runners.manage.setUp.query({ scope }),
    refetchInterval,
  })

export const labelsPreviewQuery = (name: RunnerName, labels: readonly string[]) =>
  queryOptions({
    queryKey: [...runnersKey(name.scope), 'labels', name.id, labels],
    queryFn: () => trpc.runners.manage.previewLabels.query({ ...name, labels: [...labels] }),
    retry: false,
  })

export const removalQuery = (name: RunnerName) =>
  queryOptions({
    queryKey: [...runnersKey(name.scope), 'removal', name.id],
    queryFn: () => trpc.runners.manage.previewRemoval.query(name),
    staleTime: 0,
  })
