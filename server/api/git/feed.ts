import type { IncomingMessage } from 'node:http'
import { PassThrough, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { GitRefusal } from './refusal'

/** Throws a refusal for a body packed in a way we cannot unpack. */
export function isGzipped(request: IncomingMessage): boolean {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  if (encoding === 'identity') return false
  throw new GitRefusal(415, 'Send the request as it is or with Content-Encoding: gzip.')
}

/** A body on its way into git. */
export interface Feed {
  /** It could not be unpacked, or is longer than allowed: git was given only the beginning. */
  broken: boolean
}

interface FeedOptions {
  gzipped: boolean
  limitBytes: number
  /** The request's body, when its beginning was read before. */
  body?: AsyncIterable<Buffer>
}

/**
 * Streams a request's body into git, unpacked, as fast as git takes it. What git does not want to read is read away,
 * so that the client gets to see the answer; when the body ends early, so does git's input.
 */
export function feed(
  request: IncomingMessage,
  input: Writable,
  { gzipped, limitBytes, body = bodyOf(request) }: FeedOptions,
): Feed {
  const unpack = gzipped ? createGunzip() : new PassThrough()
  const state: Feed = { broken: false }
  pipeline(body, unpack, limit(limitBytes), input).catch((error: NodeJS.ErrnoException) => {
    // Otherwise git has stopped reading, or the client has stopped sending.
    state.broken = error.code === tooLong || error.code?.startsWith('Z_') === true
    request.resume()
  })
  return state
}

// Not the request itself: a pipeline that fails would take the whole connection with it.
export const bodyOf = (request: IncomingMessage): AsyncIterableIterator<Buffer> =>
  request.iterator({ destroyOnReturn: false })

const tooLong = 'BODY_TOO_LONG'

function limit(bytes: number): Transform {
  let left = bytes
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(left < 0 ? Object.assign(new Error('the body is too long'), { code: tooLong }) : null, chunk)
    },
  })
}
