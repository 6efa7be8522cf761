import { PassThrough, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Call } from '@/server/kernel/http/call'
import { GitHttpError, notUnderstood } from './errors'

/**
 * Tells whether a body is gzipped.
 * @throws {GitHttpError} for one packed in another way.
 */
export function isGzipped({ headers }: Call): boolean {
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  if (encoding === 'identity') return false
  throw new GitHttpError(415, 'Send the request as it is or with Content-Encoding: gzip.')
}

/** What a client sends, as it comes. */
export interface SentBody {
  body: AsyncIterable<Buffer>
  gzipped: boolean
  /** Reads away what is not read of the body. */
  discard(): void
}

/** Unpacks a gzipped body as it is read. What is wrong with it is told to whoever reads it. */
export function unpacked(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  pipeline(body, gunzip).catch(() => undefined)
  return gunzip
}

/** A body on its way into git; `refusal` may be set while it goes on. */
export interface PipedBody {
  /** Why git was given only the beginning: too long, too slow, or not to be unpacked. */
  refusal: GitHttpError | undefined
}

/**
 * Streams a request's body into git, unpacked, as fast as git takes it. What git does not want to read is for `discard` to
 * read away, so that the client gets to see the answer; when the body ends early, so does git's input.
 */
export function pipeBody(
  { body, gzipped, discard }: SentBody,
  input: Writable,
  { limitBytes }: { limitBytes: number },
): PipedBody {
  const unpack = gzipped ? createGunzip() : new PassThrough()
  const state: PipedBody = { refusal: undefined }
  pipeline(body, unpack, limit(limitBytes), input).catch((error: NodeJS.ErrnoException) => {
    // Otherwise git has stopped reading, or the client has stopped sending.
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
  new GitHttpError(413, `The request is too long: unpacked it may have ${bytes / 1024 / 1024} MiB.`)
