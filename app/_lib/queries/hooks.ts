import { queryOptions } from '@tanstack/react-query'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { PlaceName } from '@/server/places/schema'
import { trpc } from '../trpc'

/** How calls of pages name a hook. */
export interface HookName {
  place: PlaceName
  id: number
}

/** Begins the key of whatever is asked about hooks of a place. */
export const hooksKey = (place: PlaceName) => ['hooks', place] as const

/** Begins the key of whatever is asked about one hook. */
export const hookKey = ({ place, id }: HookName) => ['hooks', place, id] as const

export const hooksQuery = (place: PlaceName, page: number) =>
  queryOptions({
    queryKey: [...hooksKey(place), 'list', page],
    queryFn: () => trpc.hooks.browse.query({ place, page }),
  })

/** All hooks of a place, from all pages of their list. */
export const allHooksQuery = (place: PlaceName) =>
  queryOptions({
    queryKey: [...hooksKey(place), 'all'],
    queryFn: async () => {
      const all: BrowsedHook[] = []
      for (let page = 1; ; page++) {
        const { items, total } = await trpc.hooks.browse.query({ place, page, limit: 50 })
        all.push(...items)
        if (items.length === 0 || all.length >= total) return all
      }
    },
  })

export const hookQuery = (place: PlaceName, id: number) =>
  queryOptions({
    queryKey: hookKey({ place, id }),
    queryFn: () => trpc.hooks.get.query({ place, id }),
  })

/** What happened in a place that its hooks can be told of, from an event on, newest first. */
export const hookEventsQuery = (place: PlaceName, cursor: number | undefined) =>
  queryOptions({
    queryKey: [...hooksKey(place), 'events', cursor ?? null],
    queryFn: () => trpc.hooks.listEvents.query({ place, cursor }),
  })

/** One event, with what was decided for each hook. */
export const hookEventQuery = (place: PlaceName, id: number) =>
  queryOptions({
    queryKey: [...hooksKey(place), 'event', id],
    queryFn: () => trpc.hooks.explainEvent.query({ place, event_id: id }),
    retry: false,
  })

/** Why nothing that is sent to an address would arrive; null where it could. */
export const addressWarningQuery = (place: PlaceName, url: string) =>
  queryOptions({
    queryKey: ['hook-address', place, url],
    queryFn: () => trpc.hooks.checkAddress.query({ place, url }),
    retry: false,
  })
