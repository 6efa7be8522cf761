const [second, minute, hour] = [1_000, 60_000, 3_600_000]

// Between the first attempt and the tenth lie 74 hours where every wait comes out shortest.
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

/** How often a delivery is tried before it has failed; it begins anew when it is asked for again. */
export const maxTries: number = waits.length + 1

// What a receiver can ask for at most.
const maxRetryAfterMs = 24 * hour

/**
 * How many milliseconds after a failed attempt the next one is made; undefined after the last. `tries` counts the attempts
 * made so far, `random` lies from 0 to 1.
 */
export function retryDelayMs(tries: number, random: number): number | undefined {
  const wait = waits[tries - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 - jitter + 2 * jitter * random))
}

/** Until when a receiver that answers 429 or 503 asks to be left alone, a day at most; undefined where it does not. */
export function retryAfter(status: number, header: string | undefined, now: Date): Date | undefined {
  if ((status !== 429 && status !== 503) || header === undefined) return undefined
  const text = header.trim()
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return wait > 0 ? new Date(now.getTime() + Math.min(wait, maxRetryAfterMs)) : undefined
}
