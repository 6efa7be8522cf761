import { queryOptions } from '@tanstack/react-query'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { trpc } from '../trpc'

/** Identifies a hook in API calls of pages. */
export interface HookName {
  scope: ScopeName
  id: number
}

/** Prefix of the query keys of a scope's hooks. */
export const hooksKey = (scope: ScopeName) => ['hooks', scope] as const

/** Prefix of the query keys of one hook. */
export const hookKey = ({ scope, id }: HookName) => ['hooks', scope, id] as const

export const hooksQuery = (scope: ScopeName, page: number) =>
  queryOptions({
    queryKey: [...hooksKey(scope), 'list', page],
    queryFn: () => trpc.hooks.browse.query({ scope, page }),
  })

/** Returns all hooks of a scope, from all pages of their list. */
export const allHooksQuery = (scope: ScopeName) =>
  queryOptions({
    queryKey: [...hooksKey(scope), 'all'],
    queryFn: async () => {
      const all: BrowsedHook[] = []
      for (let page = 1; ; page++) {
        const { items, total } = await trpc.hooks.browse.query({ scope, page, limit: 50 })
        all.push(...items)
        if (items.length === 0 || all.length >= total) return all
      }
    },
  })

export const hookQuery = (scope: ScopeName, id: number) =>
  queryOptions({
    queryKey: hookKey({ scope, id }),
    queryFn: () => trpc.hooks.get.query({ scope, id }),
  })

/** Returns the scope's events that its hooks can receive, newest first, starting at a cursor. */
export const hookEventsQuery = (scope: ScopeName, cursor: number | undefined) =>
  queryOptions({
    queryKey: [...hooksKey(scope), 'events', cursor ?? null],
    queryFn: () => trpc.hooks.listEvents.query({ scope, cursor }),
  })

/** Returns an event with the decision for each hook. */
export const hookEventQuery = (scope: ScopeName, id: number) =>
  queryOptions({
    queryKey: [...hooksKey(scope), 'event', id],
    queryFn: () => trpc.hooks.explainEvent.query({ scope, event_id: id }),
    retry: false,
  })

/** Returns why deliveries to a URL can't arrive. Null if they can. */
export const addressWarningQuery = (scope: ScopeName, url: string) =>
  queryOptions({
    queryKey: ['hook-address', scope, url],
    queryFn: () => trpc.hooks.checkAddress.query({ scope, url }),
    retry: false,
  })
