import type { Readable } from 'node:stream'

/** How slow a client may be before it is taken for one that only wants to hold its slot. */
export interface Pace {
  /** How long we wait for it, all in all. Each byte gives some of it back. */
  graceMs: number
  bytesPerSecond: number
}

/** A client's remaining grace period: time spent waiting for it uses it up, bytes give it back. */
export interface GraceTimer {
  /** @throws {Error} `tooSlow` when the client takes longer than is left. */
  waitFor<T>(moved: Promise<T>): Promise<T>
  gained(bytes: number): void
}

const watchMs = 1000

/** Starts a grace period. Only the time spent waiting for the client counts, never the time that our work takes. */
export function startGraceTimer({ graceMs, bytesPerSecond }: Pace, tooSlow: () => Error): GraceTimer {
  let leftMs = graceMs
  let waiting: { since: number; refuse(error: Error): void } | undefined
  let timer: NodeJS.Timeout | undefined

  // One timer for many waits, because most of them are shorter than it takes to set one. It ends soon after the last.
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
 * Reads a body as it comes.
 * @throws {Error} `tooSlow` when it comes too slowly, or the error of a client that goes away.
 */
export function bodyAt(pace: Pace, body: Readable, tooSlow: () => Error): AsyncGenerator<Buffer> {
  // What is not read is left in place: otherwise a refusal would take the whole connection with it.
  return atPace(pace, body.iterator({ destroyOnReturn: false }), tooSlow)
}

/**
 * Reads on with a body, from here at this pace at least.
 * @throws {Error} `tooSlow` when it comes too slowly.
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
