import type { Readable } from 'node:stream'
import { GitHttpError } from './errors'

/** How slow a client may be before it is taken for one that only wants to hold its slot. */
export interface Pace {
  /** How long we wait for it, all in all. Each byte gives some of it back. */
  graceMs: number
  bytesPerSecond: number
}

/** A client's remaining grace period: time spent waiting for it uses it up, bytes give it back. */
export interface GraceTimer {
  /** @throws {GitHttpError} 408 when the client takes longer than is left. */
  waitFor<T>(moved: Promise<T>): Promise<T>
  gained(bytes: number): void
}

/** Starts a grace period. Only the time spent waiting for the client counts, never the time git takes. */
export function startGraceTimer({ graceMs, bytesPerSecond }: Pace): GraceTimer {
  let leftMs = graceMs
  return {
    async waitFor(moved) {
      const began = performance.now()
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooSlow()), Math.max(0, leftMs))
      })
      try {
        return await Promise.race([moved, over])
      } finally {
        clearTimeout(timer)
        leftMs -= performance.now() - began
      }
    },
    gained(bytes) {
      leftMs = Math.min(graceMs, leftMs + (1000 * bytes) / bytesPerSecond)
    },
  }
}

const tooSlow = (): GitHttpError =>
  new GitHttpError(408, 'The connection is too slow; try again over a better one.', { Connection: 'close' })

/**
 * Reads a body as it comes.
 * @throws {GitHttpError} 408 when it comes too slowly, or the client goes away.
 */
export function bodyAt(pace: Pace, body: Readable): AsyncGenerator<Buffer> {
  // What is not read is left in place: otherwise a refusal would take the whole connection with it.
  return atPace(pace, body.iterator({ destroyOnReturn: false }))
}

/**
 * Reads on with a body, from here at this pace at least.
 * @throws {GitHttpError} 408 when it comes too slowly.
 */
export async function* atPace(pace: Pace, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  const grace = startGraceTimer(pace)
  for (;;) {
    const { done, value } = await grace.waitFor(chunks.next())
    if (done) return
    grace.gained(value.length)
    yield value
  }
}

/**
 * Waits for the beginning of a body, so many bytes of it or all; gives it with the rest to come. A body that is short, as
 * most are, is then here whole.
 */
export async function readAhead(body: AsyncGenerator<Buffer>, bytes: number): Promise<AsyncIterable<Buffer>> {
  const beginning: Buffer[] = []
  for (let size = 0; size < bytes; ) {
    const { done, value } = await body.next()
    if (done) break
    beginning.push(value)
    size += value.length
  }
  return followedBy(beginning, body)
}

async function* followedBy(
  beginning: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* beginning
  yield* rest
}
