const [second, minute, hour] = [1_000, 60_000, 3_600_000]

// Even with the shortest random delays, 74 hours pass between the first and the tenth attempt.
const waits = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  18 * hour,
  24 * hour,
  30 * hour,
]
const jitter = 0.2

/** Number of attempts after which a delivery has failed. A redelivery starts the count again. */
export const maxTries: number = waits.length + 1

// The longest delay that a receiver can request.
const maxRetryAfterMs = 24 * hour

/**
 * Returns the delay in milliseconds after a failed attempt; undefined after the last attempt. `tries` is the
 * number of attempts so far, and `random` is between 0 and 1.
 */
export function retryDelayMs(tries: number, random: number): number | undefined {
  const wait = waits[tries - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 - jitter + 2 * jitter * random))
}

/**
 * Returns the time before which a receiver asked not to be sent more requests, by responding with status 429
 * or 503 and a `Retry-After` header. At most one day from now; undefined if the receiver did not ask.
 */
export function retryAfter(status: number, header: string | undefined, now: Date): Date | undefined {
  if ((status !== 429 && status !== 503) || header === undefined) return undefined
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return wait > 0 ? new Date(now.getTime() + Math.min(wait, maxRetryAfterMs)) : undefined
}
