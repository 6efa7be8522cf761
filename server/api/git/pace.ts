import type { Readable } from 'node:stream'
import * as paced from '@/server/kernel/http/pace'
import { GitHttpError } from './errors'

const tooSlow = (): GitHttpError =>
  new GitHttpError(408, 'The connection is too slow; try again over a faster one.', { Connection: 'close' })

/** Starts a grace period, after which a client that is too slow is refused with GitHttpError 408. */
export const startGraceTimer = (pace: paced.Pace): paced.GraceTimer => paced.startGraceTimer(pace, tooSlow)

/**
 * Reads a body at a minimum pace.
 * @throws {GitHttpError} 408 if it arrives too slowly or the client disconnects.
 */
export const bodyAt = (pace: paced.Pace, body: Readable): AsyncGenerator<Buffer> =>
  paced.bodyAt(pace, body, tooSlow)

/**
 * Reads the rest of a body at a minimum pace that counts from now on.
 * @throws {GitHttpError} 408 if it arrives too slowly or the client disconnects.
 */
export const atPace = (pace: paced.Pace, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> =>
  paced.atPace(pace, body, tooSlow)

/** Waits for the first bytes of a body, or all of a short one. Returns them together with the rest to come. */
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
