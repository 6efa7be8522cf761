import type { Readable } from 'node:stream'
import { invalid, tooLarge } from '../errors'
import { securityHeaders } from './security-headers.mjs'

/** The part of headers that is read, by lower-case names: a web `Headers` is one. */
export interface HeaderReader {
  get(name: string): string | null
}

/** One request, whichever server it came through. Read its body with `body` or `stream`, once. */
export interface Call {
  method: string
  /** As sent: still percent-encoded, without an origin. */
  path: string
  /** Without its question mark; empty when there is none. */
  query: string
  headers: HeaderReader
  /**
   * Reads the body whole.
   * @throws {DomainError} tooLarge as soon as it is known to exceed the limit; invalid when it ends early.
   */
  body(limitBytes: number): Promise<Uint8Array>
  /**
   * Returns the body as a stream of bytes, read only as fast as it is consumed. A reader that may stop early iterates it
   * with `destroyOnReturn: false`: destroying it ends the connection, and the answer with it.
   */
  stream(): Readable
}

/** What is known of the client besides its request. */
export interface Connection {
  /** Behind trusted proxies the client's; empty where the host does not tell. */
  remoteAddress: string
  requestId: string
  /** Whether a trusted proxy passed the request on, whose `X-Forwarded-…` headers can be believed. */
  behindTrustedProxy?: boolean | undefined
  /** Returns a signal that is aborted when the client is gone before the answer is complete. */
  disconnected?: (() => AbortSignal) | undefined
  /**
   * Keeps the connection open although nothing is sent on it, until the returned function is called. For requests that
   * wait for their turn to be read.
   */
  suspendIdleTimeout?: (() => () => void) | undefined
}

/**
 * What is sent back. A text or bytes are sent with their length. A stream is sent as fast as the client takes it, destroyed when the client goes away, and where it
 * fails the connection is cut, so that half of it is never taken for the whole.
 */
export interface Answer {
  status: number
  headers: Record<string, string | string[]>
  /** Absent for an empty answer. */
  body?: string | Uint8Array | Readable | undefined
}

/** Answers calls. HEAD is answered like GET: the server drops the body. */
export type Handler = (call: Call, connection: Connection) => Promise<Answer>

/** Wraps a handler of GET and HEAD, so that other methods are answered with 405. */
export function readOnly(handle: Handler): Handler {
  return async (call, connection) => {
    if (call.method === 'GET' || call.method === 'HEAD') return await handle(call, connection)
    return { status: 405, headers: { ...securityHeaders, Allow: 'GET, HEAD' } }
  }
}

/** Reads away what nobody reads anymore of a body, so that the client gets to see the answer. */
export function readAway(body: Readable): void {
  if (body.readableEnded) return
  // As long as somebody seems to wait for more, Node keeps it for them.
  body.removeAllListeners('readable')
  body.resume()
}

/** Gathers the chunks of a body, which is opened only when its announced length is within the limit. */
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
