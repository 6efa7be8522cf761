import { queryOptions } from '@tanstack/react-query'
import type { RemovalTarget } from '@/server/removals/schema'
import { trpc } from '../trpc'

/** What a way out would end, as of now: never from an earlier look. */
export const removalQuery = (target: RemovalTarget) =>
  queryOptions({
    queryKey: ['removal', target],
    queryFn: () => trpc.removals.preview.query(target),
    meta: { isAsked: true },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
