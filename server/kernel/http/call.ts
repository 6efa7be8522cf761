import type { Readable } from 'node:stream'
import { invalid, tooLarge } from '../errors'
import { securityHeaders } from './security-headers.mjs'

/** Reads headers by their lowercase names. A web `Headers` object is one. */
export interface HeaderReader {
  get(name: string): string | null
}

/**
 * An HTTP request, independent of the server that received it. Its body can be read once, with `body` or
 * `stream`.
 */
export interface Call {
  method: string
  /** Path as sent: still percent-encoded, without an origin. */
  path: string
  /** Query string without the question mark; empty if there is none. */
  query: string
  headers: HeaderReader
  /**
   * Reads the whole body.
   * @throws {DomainError} tooLarge as soon as it is known to exceed the limit; invalid if it ends early.
   */
  body(limitBytes: number): Promise<Uint8Array>
  /**
   * Returns the body as a stream of bytes, which is read only as fast as it is consumed. Code that may stop early
   * must iterate it with `destroyOnReturn: false`, because destroying the stream closes the connection before the
   * response is sent.
   */
  stream(): Readable
}

/** Information about the client that is not part of the request. */
export interface Connection {
  /** IP address of the client, also behind trusted proxies; empty if the host does not report it. */
  remoteAddress: string
  requestId: string
  /** Whether the request came through a trusted proxy, whose `X-Forwarded-…` headers are trusted. */
  behindTrustedProxy?: boolean | undefined
  /** Returns a signal that is aborted if the client disconnects before the response is complete. */
  disconnected?: (() => AbortSignal) | undefined
  /**
   * Keeps an idle connection open until the returned function is called. Used for requests that wait for their
   * turn to be read.
   */
  suspendIdleTimeout?: (() => () => void) | undefined
}

/**
 * An HTTP response. Texts and bytes are sent with their length. A stream is sent as fast as the client reads
 * it and destroyed if the client disconnects. If the stream fails, the connection is closed, so that a client
 * never mistakes a partial body for a complete one.
 */
export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  /** Absent for an empty body. */
  body?: string | Uint8Array | Readable | undefined
}

/** Handles an HTTP request and returns the response. HEAD is handled like GET; the server omits the body. */
export type Handler = (call: Call, connection: Connection) => Promise<Answer>

/** Wraps a handler of GET and HEAD so that other methods get status 405. */
export function readOnly(handle: Handler): Handler {
  return async (call, connection) => {
    if (call.method === 'GET' || call.method === 'HEAD') return await handle(call, connection)
    return { status: 405, headers: { ...securityHeaders, Allow: 'GET, HEAD' } }
  }
}

/** Discards the rest of a body, so that the client can receive the response. */
export function readAway(body: Readable): void {
  if (body.readableEnded) return
  // Node keeps buffering the body while it has listeners.
  body.removeAllListeners('readable')
  body.resume()
}

/**
 * Collects the chunks of a body. The body is opened only if its declared length is within the limit.
 * @throws {DomainError} tooLarge if the body exceeds the limit; invalid if it ends early.
 */
export async function collect(
  open: () => AsyncIterable<Uint8Array> | null,
  headers: HeaderReader,
  limitBytes: number,
): Promise<Uint8Array> {
  const refuse = () => tooLarge(`the body exceeds the limit of ${limitBytes} bytes`)
  if (Number(headers.get('content-length') ?? 0) > limitBytes) throw refuse()
  const kept: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of open() ?? []) {
      size += chunk.byteLength
      if (size > limitBytes) throw refuse()
      kept.push(chunk)
    }
  } catch (error) {
    if (size > limitBytes) throw error
    throw invalid('the body was cut short', { cause: error })
  }
  return kept.length === 1 ? (kept[0] as Uint8Array) : Buffer.concat(kept)
}
