import { queryOptions } from '@tanstack/react-query'
import { type HookName, hookKey } from '@/app/_lib/queries/hooks'
import { trpc } from '@/app/_lib/trpc'
import { type DeliveryChoice, deliveryInput } from './delivery-choice'

export const deliveriesQuery = (hook: HookName, choice: DeliveryChoice) =>
  queryOptions({
    queryKey: [...hookKey(hook), 'deliveries', choice],
    queryFn: () => trpc.hooks.browseDeliveries.query({ ...hook, ...deliveryInput(choice) }),
  })

export const deliveryCountsQuery = (hook: HookName) =>
  queryOptions({
    queryKey: [...hookKey(hook), 'delivery-counts'],
    queryFn: () => trpc.hooks.countDeliveries.query(hook),
  })

/** Returns a delivery with all requests and responses. */
export const deliveryQuery = (hook: HookName, id: number) =>
  queryOptions({
    queryKey: [...hookKey(hook), 'delivery', id],
    queryFn: () => trpc.hooks.getDelivery.query({ ...hook, delivery_id: id }),
    retry: false,
  })

// These have separate keys, so that new deliveries don't change what someone is reading or about to confirm.
const fetchedOnce = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/** Input of a replay, except for the hook. */
interface ReplayedSpan {
  since: string
  until: string
  cursor?: number
  status: 'failed' | 'pending' | 'delivered' | 'all'
}

/** Counts the deliveries that a replay would send again now. */
export const replayCountQuery = (hook: HookName, span: ReplayedSpan) =>
  queryOptions({
    queryKey: ['hook-replay', hook, span],
    queryFn: () => trpc.hooks.countReplay.query({ ...hook, ...span }),
    retry: false,
    ...fetchedOnce,
  })

/**
 * Returns the request that an event would send. Without an event, uses the newest that the hook subscribes
 * to.
 */
export const dryRunQuery = (hook: HookName, eventId: number | undefined) =>
  queryOptions({
    queryKey: ['hook-dry-run', hook, eventId ?? null],
    queryFn: () => trpc.hooks.dryRun.mutate({ ...hook, event_id: eventId }),
    retry: false,
    ...fetchedOnce,
  })
