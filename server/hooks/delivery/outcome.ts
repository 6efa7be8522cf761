import type { DueDelivery } from './due'
import { maxTries, retryAfter, retryDelayMs } from './schedule'
import type { Exchange } from './send'

/** How a delivery stands after an attempt. */
export type Outcome =
  | { status: 'delivered' }
  | { status: 'failed'; disables?: 'gone' }
  /** `busyUntil`: the receiver asked to be sent nothing until then. */
  | { status: 'pending'; next: Date; busyUntil: Date | undefined }

/** What became of a delivery that was claimed. */
export interface Result {
  due: DueDelivery
  /** Absent for one that was not sent. */
  attempt?: { startedAt: Date; headers: Record<string, string>; exchange: Exchange }
  outcome: Outcome
  /** Absent for a success, and for one that is put off. */
  error: string | undefined
}

/**
 * Decides what follows from an attempt that ended at `now`: another one by the schedule, later where the receiver asks for
 * that, or none. 410 says that nothing should come anymore. Pings and tests are for somebody who waits for the answer: they
 * are sent once.
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

/** Whether somebody asked for an attempt, so that it does not just follow the schedule of its delivery. */
export const isAskedFor = (cause: DueDelivery['cause']): boolean => cause !== 'first' && cause !== 'retry'

/**
 * Why a delivery that is due is not sent; undefined for one that is. A hook that is not active sends only what somebody
 * asked for: tests, pings, and what is sent again by hand.
 */
export function whyNotSent(
  due: Pick<DueDelivery, 'kind' | 'cause' | 'is_active' | 'disabled_reason'>,
): string | undefined {
  if (due.kind !== 'event' || isAskedFor(due.cause) || (due.is_active && due.disabled_reason === null))
    return undefined
  return due.disabled_reason === null
    ? 'not sent: the webhook is not active'
    : notSentWhy(due.disabled_reason)
}

/** What deliveries say that still waited when their hook was disabled. */
export function notSentWhy(reason: 'gone' | 'failing'): string {
  const why =
    reason === 'gone'
      ? 'its receiver answered 410 Gone'
      : 'it did nothing but fail for five days, ten times at least'
  return `not sent: the webhook was disabled, as ${why}`
}
