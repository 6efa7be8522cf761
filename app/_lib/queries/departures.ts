import { queryOptions } from '@tanstack/react-query'
import type { WayOut } from '@/server/departures/schema'
import { trpc } from '../trpc'

/** What a way out would end, as of now: never from an earlier look. */
export const departureQuery = (wayOut: WayOut) =>
  queryOptions({
    queryKey: ['departure', wayOut],
    queryFn: () => trpc.departures.preview.query(wayOut),
    meta: { isAsked: true },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
