import type { DueDelivery } from './due'
import { maxTries, retryAfter, retryDelayMs } from './schedule'
import type { Exchange } from './send'

/** The state of a delivery after an attempt. */
export type Outcome =
  | { status: 'delivered' }
  | { status: 'failed'; disables?: 'gone' }
  /** `busyUntil`: the receiver asked to be sent nothing until then. */
  | { status: 'pending'; next: Date; busyUntil: Date | undefined }

/** The result for a claimed delivery. */
export interface Result {
  due: DueDelivery
  /** Absent if it was not sent. */
  attempt?: { startedAt: Date; headers: Record<string, string>; exchange: Exchange }
  outcome: Outcome
  /** Absent if it succeeded or was postponed. */
  error: string | undefined
}

/**
 * Decides what follows an attempt that ended at `now`: another one by the schedule, later if the receiver asks for it,
 * or none. 410 means that the receiver wants nothing anymore. Pings and tests are sent only once, because somebody
 * waits for the result.
 */
export function outcomeOf(
  { kind, tries }: Pick<DueDelivery, 'kind' | 'tries'>,
  { answer, error }: Pick<Exchange, 'answer' | 'error'>,
  now: Date,
  random: number,
): Outcome {
  if (error === undefined) return { status: 'delivered' }
  if (answer?.status === 410) return { status: 'failed', disables: 'gone' }
  if (kind !== 'event') return { status: 'failed' }
  const delayMs = tries + 1 < maxTries ? retryDelayMs(tries + 1, random) : undefined
  if (delayMs === undefined) return { status: 'failed' }
  const scheduled = new Date(now.getTime() + delayMs)
  const busyUntil = answer && retryAfter(answer.status, answer.headers['retry-after'], now)
  return { status: 'pending', next: busyUntil && busyUntil > scheduled ? busyUntil : scheduled, busyUntil }
}

/** Whether somebody requested the attempt, so that it does not follow the delivery's schedule. */
export const isAskedFor = (cause: DueDelivery['cause']): boolean => cause !== 'first' && cause !== 'retry'

/**
 * Why a due delivery is not sent; undefined if it is. A hook that is not active sends only what somebody requested:
 * tests, pings, and redeliveries.
 */
export function reasonNotSent(
  due: Pick<DueDelivery, 'kind' | 'cause' | 'is_active' | 'disabled_reason'>,
): string | undefined {
  if (due.kind !== 'event' || isAskedFor(due.cause) || (due.is_active && due.disabled_reason === null))
    return undefined
  return due.disabled_reason === null
    ? 'not sent: the webhook is not active'
    : disabledMessage(due.disabled_reason)
}

/** The reason for deliveries that were pending when their hook was disabled. */
export function disabledMessage(reason: 'gone' | 'failing'): string {
  const why =
    reason === 'gone'
      ? 'its receiver answered 410 Gone'
      : 'it did nothing but fail for five days, ten times at least'
  return `not sent: the webhook was disabled, as ${why}`
}
