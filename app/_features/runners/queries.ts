import { queryOptions } from '@tanstack/react-query'
import { settingsPath } from '@/app/_features/places/place-paths'
import { trpc } from '@/app/_lib/trpc'
import type { PlaceName } from '@/server/places/schema'

/** How calls of pages name a runner. */
export interface RunnerName {
  place: PlaceName
  id: number
}

/** Path of a page about the runners of a place; without a segment, their list. */
export const runnersPath = (place: PlaceName, segment?: string | number): string =>
  settingsPath(place, segment === undefined ? 'actions/runners' : `actions/runners/${segment}`)

/** Begins the names of all that is read of the runners of a place. */
export const runnersKey = (place: PlaceName) => ['runners', place] as const

// Polled, because runner state changes send no notice.
const refetchInterval = 15_000

export const runnersQuery = (place: PlaceName, page: number) =>
  queryOptions({
    queryKey: [...runnersKey(place), 'list', page],
    queryFn: () => trpc.runners.pages.browse.query({ place, page }),
    refetchInterval,
  })

export const demandQuery = (place: PlaceName) =>
  queryOptions({
    queryKey: [...runnersKey(place), 'demand'],
    queryFn: () => trpc.runners.pages.browseDemand.query({ place }),
    refetchInterval,
  })

export const runnerQuery = ({ place, id }: RunnerName) =>
  queryOptions({
    queryKey: [...runnersKey(place), 'one', id],
    queryFn: () => trpc.runners.pages.get.query({ place, id }),
    refetchInterval,
    retry: false,
  })

export const runnerJobsQuery = ({ place, id }: RunnerName, page: number) =>
  queryOptions({
    queryKey: [...runnersKey(place), 'jobs', id, page],
    queryFn: () => trpc.runners.pages.listJobs.query({ place, id, page, limit: 20 }),
    refetchInterval,
  })

/** The runners that were registered since the page was opened. */
export const registeredQuery = (place: PlaceName, lastId: number) =>
  queryOptions({
    queryKey: [...runnersKey(place), 'since', lastId],
    queryFn: () => trpc.runners.pages.listRegisteredSince.query({ place, last_id: lastId }),
    refetchInterval,
  })

export const setUpQuery = (place: PlaceName) =>
  queryOptions({
    queryKey: [...runnersKey(place), 'set-up'],
    queryFn: () => trpc.runners.pages.setUp.query({ place }),
    refetchInterval,
  })

export const labelsPreviewQuery = (name: RunnerName, labels: readonly string[]) =>
  queryOptions({
    queryKey: [...runnersKey(name.place), 'labels', name.id, labels],
    queryFn: () => trpc.runners.pages.previewLabels.query({ ...name, labels: [...labels] }),
    retry: false,
  })

export const removalQuery = (name: RunnerName) =>
  queryOptions({
    queryKey: [...runnersKey(name.place), 'removal', name.id],
    queryFn: () => trpc.runners.pages.previewRemoval.query(name),
    staleTime: 0,
  })
