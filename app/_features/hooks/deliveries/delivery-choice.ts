import { eventLabels } from '@/app/_features/hooks/event-labels'
import { dayMs } from '@/app/_lib/format'
import type { HookDelivery } from '@/server/hooks/log/schema'

/** Filters of a list of deliveries, as its URL contains them. */
export interface DeliveryChoice {
  status: HookDelivery['status'] | ''
  /** An event type. Empty for all events. */
  event: string
  since: Since
  cursor: number | undefined
}

const spans = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs }
export type Since = keyof typeof spans | ''

const statuses: readonly string[] = ['pending', 'delivered', 'failed']
const isEvent = (event: string): boolean => Object.hasOwn(eventLabels, event) || event === 'ping'

/** Reads the filters from query parameters and ignores invalid values. */
export function deliveryChoice(params: {
  status: string
  event: string
  since: string
  cursor: number | undefined
}): DeliveryChoice {
  return {
    status: statuses.includes(params.status) ? (params.status as HookDelivery['status']) : '',
    event: isEvent(params.event) ? params.event : '',
    since: Object.hasOwn(spans, params.since) ? (params.since as keyof typeof spans) : '',
    cursor: params.cursor,
  }
}

/** Returns the filters as API input, relative to the current time. */
export function deliveryInput({ status, event, since, cursor }: DeliveryChoice) {
  return {
    status: status || undefined,
    event: event || undefined,
    since: since === '' ? undefined : startOf(since),
    cursor,
  }
}

/** Returns the start of a time span that ends now. */
export const startOf = (since: keyof typeof spans): string =>
  new Date(Date.now() - spans[since]).toISOString()
