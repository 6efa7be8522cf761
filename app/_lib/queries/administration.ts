import { queryOptions } from '@tanstack/react-query'
import { trpc } from '../trpc'

const healthMs = 15_000

/** How the site is. No event says that a disk fills, so it is asked for again and again. */
export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: () => trpc.health.get.query(),
  refetchInterval: healthMs,
})
