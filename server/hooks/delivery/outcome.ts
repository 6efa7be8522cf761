import type { DueDelivery } from './due'
import { maxTries, retryAfter, retryDelayMs } from './schedule'
import type { Exchange } from './send'

/** The state of a delivery after an attempt. */
export type Outcome =
  | { status: 'delivered' }
  | { status: 'failed'; disables?: 'gone' }
  /** `busyUntil`: the receiver asked to be sent nothing until then. */
  | { status: 'pending'; next: Date; busyUntil: Date | undefined }

/**
 * The result of processing a claimed webhook delivery: the attempt, if any, and the new state of the
 * delivery.
 */
export interface Result {
  due: DueDelivery
  /** The attempt, with its request headers and the response; absent if nothing was sent. */
  attempt?: { startedAt: Date; headers: Record<string, string>; exchange: Exchange }
  outcome: Outcome
  /** Why the attempt failed or the delivery was not sent; undefined if it succeeded or was postponed. */
  error: string | undefined
}

/**
 * Returns the state of a delivery after an attempt that ended at `now`. A failed event delivery is scheduled
 * again until its attempts are used up, later than scheduled if the receiver requests it. A response of 410
 * means that the receiver wants no more requests. Pings and tests are attempted only once, because a person
 * is waiting for the result.
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

/** Whether a person requested the attempt, so that it does not follow the delivery's schedule. */
export const isAskedFor = (cause: DueDelivery['cause']): boolean => cause !== 'first' && cause !== 'retry'

/**
 * Returns the reason for not sending a due webhook delivery; undefined if the delivery is to be sent. An
 * inactive or disabled webhook sends only tests, pings, redeliveries, and replays, because a person requested
 * them.
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

/** Returns the error message of a delivery that was pending when its webhook was disabled. */
export function disabledMessage(reason: 'gone' | 'failing'): string {
  const why =
    reason === 'gone'
      ? 'its receiver responded with 410 Gone'
      : 'it failed for five days and at least ten times'
  return `not sent: the webhook was disabled because ${why}`
}
