import { queryOptions } from '@tanstack/react-query'
import type { RemovalTarget } from '@/server/removals/schema'
import { trpc } from '../trpc'

/** Returns what a removal would affect now. Never cached. */
export const removalQuery = (target: RemovalTarget) =>
  queryOptions({
    queryKey: ['removal', target],
    queryFn: () => trpc.removals.preview.query(target),
    meta: { isAsked: true },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
