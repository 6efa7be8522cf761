import { eventLabels } from '@/app/_features/hooks/event-labels'
import { dayMs } from '@/app/_lib/format'
import type { HookDelivery } from '@/server/hooks/log/schema'

/** Which deliveries a page shows, as its address says it. */
export interface DeliveryChoice {
  status: HookDelivery['status'] | ''
  /** A type of events; all when empty. */
  event: string
  since: Since
  cursor: number | undefined
}

const spans = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs }
export type Since = keyof typeof spans | ''

const statuses: readonly string[] = ['pending', 'delivered', 'failed']
const isEvent = (event: string): boolean => Object.hasOwn(eventLabels, event) || event === 'ping'

/** Reads the words of an address; what has no meaning is as if it were not there. */
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

/** The choice as calls take it, at this moment. */
export function deliveryInput({ status, event, since, cursor }: DeliveryChoice) {
  return {
    status: status || undefined,
    event: event || undefined,
    since: since === '' ? undefined : startOf(since),
    cursor,
  }
}

/** When a span of time that ends now began. */
export const startOf = (since: keyof typeof spans): string =>
  new Date(Date.now() - spans[since]).toISOString()
