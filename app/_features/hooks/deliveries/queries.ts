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

/** One delivery with all that was sent and answered. */
export const deliveryQuery = (hook: HookName, id: number) =>
  queryOptions({
    queryKey: [...hookKey(hook), 'delivery', id],
    queryFn: () => trpc.hooks.getDelivery.query({ ...hook, delivery_id: id }),
    retry: false,
  })

// Under keys of their own, so that what goes on meanwhile does not change what somebody reads or is about to confirm.
const fetchedOnce = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 }

/** What a replay names, except for the hook. */
interface ReplayedSpan {
  since: string
  until: string
  cursor?: number
  status: 'failed' | 'pending' | 'delivered' | 'all'
}

/** How many deliveries a replay would send again, as of now. */
export const replayCountQuery = (hook: HookName, span: ReplayedSpan) =>
  queryOptions({
    queryKey: ['hook-replay', hook, span],
    queryFn: () => trpc.hooks.countReplay.query({ ...hook, ...span }),
    retry: false,
    ...fetchedOnce,
  })

/** What an event would send, or the newest that the hook asks for. */
export const dryRunQuery = (hook: HookName, eventId: number | undefined) =>
  queryOptions({
    queryKey: ['hook-dry-run', hook, eventId ?? null],
    queryFn: () => trpc.hooks.dryRun.mutate({ ...hook, event_id: eventId }),
    retry: false,
    ...fetchedOnce,
  })
