import { PassThrough, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Call } from '@/server/kernel/http/call'
import { GitHttpError, notUnderstood } from './errors'

/**
 * Returns whether a body is gzipped.
 * @throws {GitHttpError} for another compression.
 */
export function isGzipped({ headers }: Call): boolean {
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  if (encoding === 'identity') return false
  throw new GitHttpError(415, 'Send the request uncompressed or with Content-Encoding: gzip.')
}

/** Body of a request as it arrives. */
export interface SentBody {
  body: AsyncIterable<Buffer>
  gzipped: boolean
  /** Reads and discards the rest of the body. */
  discard(): void
}

/** Unpacks a gzipped body as it is read. Reading fails if it is malformed. */
export function unpacked(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  pipeline(body, gunzip).catch(() => undefined)
  return gunzip
}

/** Body that is being piped into Git; `refusal` can be set while this continues. */
export interface PipedBody {
  /** Why Git received only the beginning: the body was too long, too slow, or could not be unpacked. */
  refusal: GitHttpError | undefined
}

/**
 * Streams the body of a request into Git, unpacked, as fast as Git reads it. `discard` reads what Git does not want,
 * so that the client gets to see the response. If the body ends early, so does Git's input.
 */
export function pipeBody(
  { body, gzipped, discard }: SentBody,
  input: Writable,
  { limitBytes }: { limitBytes: number },
): PipedBody {
  const unpack = gzipped ? createGunzip() : new PassThrough()
  const state: PipedBody = { refusal: undefined }
  pipeline(body, unpack, limit(limitBytes), input).catch((error: NodeJS.ErrnoException) => {
    // Otherwise Git has stopped reading, or the client has stopped sending.
    if (error instanceof GitHttpError) state.refusal = error
    else if (error.code?.startsWith('Z_')) state.refusal = notUnderstood()
    discard()
  })
  return state
}

function limit(bytes: number): Transform {
  let left = bytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(left < 0 ? tooLong(bytes) : null, chunk)
    },
  })
}

const tooLong = (bytes: number): GitHttpError =>
  new GitHttpError(413, `The request is too large: the limit is ${bytes / 1024 / 1024} MiB uncompressed.`)
