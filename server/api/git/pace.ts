import type { Readable } from 'node:stream'
import * as paced from '@/server/kernel/http/pace'
import { GitHttpError } from './errors'

const tooSlow = (): GitHttpError =>
  new GitHttpError(408, 'The connection is too slow; try again over a better one.', { Connection: 'close' })

/** Starts a grace period, after which the client is refused with GitHttpError 408. */
export const startGraceTimer = (pace: paced.Pace): paced.GraceTimer => paced.startGraceTimer(pace, tooSlow)

/**
 * Reads a body as it comes.
 * @throws {GitHttpError} 408 when it comes too slowly, or the client goes away.
 */
export const bodyAt = (pace: paced.Pace, body: Readable): AsyncGenerator<Buffer> =>
  paced.bodyAt(pace, body, tooSlow)

/**
 * Reads on with a body, from here at this pace at least.
 * @throws {GitHttpError} 408 when it comes too slowly.
 */
export const atPace = (pace: paced.Pace, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> =>
  paced.atPace(pace, body, tooSlow)

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
