import type { Readable } from 'node:stream'

/** Time limits for clients that send or receive slowly and would otherwise block a concurrency slot. */
export interface Pace {
  /** Total time in milliseconds that we wait for the client. Each received byte restores part of it. */
  graceMs: number
  bytesPerSecond: number
}

/** A client's remaining grace period. Waiting for the client uses it up, and received bytes restore it. */
export interface GraceTimer {
  /**
   * Waits for the client.
   * @throws {Error} `tooSlow` if the client exceeds the remaining grace period.
   */
  waitFor<T>(moved: Promise<T>): Promise<T>
  gained(bytes: number): void
}

const watchMs = 1000

/**
 * Starts a client's grace period. Only the time spent waiting for the client counts, not the time of our own
 * work.
 */
export function startGraceTimer({ graceMs, bytesPerSecond }: Pace, tooSlow: () => Error): GraceTimer {
  let leftMs = graceMs
  let waiting: { since: number; refuse(error: Error): void } | undefined
  let timer: NodeJS.Timeout | undefined

  // One timer serves many waits, because most of them are shorter than setting a timer takes. It stops soon
  // after the last wait.
  function watch(): void {
    const waitedMs = waiting ? performance.now() - waiting.since : 0
    timer = setTimeout(
      () => {
        timer = undefined
        if (!waiting) return
        if (performance.now() - waiting.since < leftMs) watch()
        else waiting.refuse(tooSlow())
      },
      Math.min(Math.max(0, leftMs - waitedMs), watchMs),
    ).unref()
  }

  return {
    async waitFor(moved) {
      const since = performance.now()
      if (!timer) watch()
      try {
        return await new Promise((resolve, reject) => {
          waiting = { since, refuse: reject }
          moved.then(resolve, reject)
        })
      } finally {
        waiting = undefined
        leftMs -= performance.now() - since
      }
    },
    gained(bytes) {
      leftMs = Math.min(graceMs, leftMs + (1000 * bytes) / bytesPerSecond)
    },
  }
}

/**
 * Reads a body as a stream, at the given pace or faster.
 * @throws {Error} `tooSlow` if the client is too slow, or an error if the client disconnects.
 */
export function bodyAt(pace: Pace, body: Readable, tooSlow: () => Error): AsyncGenerator<Buffer> {
  // The unread rest is left in place: destroying the body would close the connection before an error response
  // is sent.
  return atPace(pace, body.iterator({ destroyOnReturn: false }), tooSlow)
}

/**
 * Reads the rest of a body, at the given pace or faster.
 * @throws {Error} `tooSlow` if the client is too slow.
 */
export async function* atPace(
  pace: Pace,
  body: AsyncIterable<Buffer>,
  tooSlow: () => Error,
): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  const grace = startGraceTimer(pace, tooSlow)
  for (;;) {
    const { done, value } = await grace.waitFor(chunks.next())
    if (done) return
    grace.gained(value.length)
    yield value
  }
}
