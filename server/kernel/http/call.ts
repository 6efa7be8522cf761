import { invalid, tooLarge } from '../errors'

/** The part of headers that is read: a web `Headers` is one. */
export interface HeaderReader {
  get(name: string): string | null
}

/** A request as the JSON API sees it. Web requests and Node's are dressed as one; neither is built from the other. */
export interface Call {
  method: string
  /** As sent: still percent-encoded, without an origin. */
  path: string
  /** Without its question mark; empty when there is none. */
  query: string
  headers: HeaderReader
  /** Reads the body whole. Throws tooLarge as soon as it is known to exceed the limit. */
  body(limitBytes: number): Promise<Uint8Array>
}

/** What is sent back. An absent body is an empty answer. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body?: string
}

export function callOf(request: Request): Call {
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: request.headers,
    body: limitBytes =>
      collect(request.body as AsyncIterable<Uint8Array> | null, request.headers, limitBytes),
  }
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body ?? null, { status, headers })
}

/** Gathers a body's chunks up to a limit. */
export async function collect(
  chunks: AsyncIterable<Uint8Array> | null,
  headers: HeaderReader,
  limitBytes: number,
): Promise<Uint8Array> {
  const refuse = () => tooLarge(`the body exceeds the limit of ${limitBytes} bytes`)
  if (Number(headers.get('content-length') ?? 0) > limitBytes) throw refuse()
  const kept: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of chunks ?? []) {
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
