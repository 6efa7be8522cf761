import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { type Answer, type Call, collect } from './call'

/** Converts a `Request` of the Fetch API to a `Call`. */
export function callOf(request: Request): Call {
  const { pathname, search } = new URL(request.url)
  const { method, headers: sent } = request
  // Next compresses responses itself, and drops the `Content-Encoding` of responses that are already
  // compressed.
  const headers = { get: (name: string) => (name === 'accept-encoding' ? null : sent.get(name)) }
  const body = request.body as NodeReadableStream<Uint8Array> | null
  return {
    method,
    path: pathname,
    query: search.slice(1),
    headers,
    body: limitBytes => collect(() => body, headers, limitBytes),
    stream: () => (body ? Readable.fromWeb(body) : Readable.from([])),
  }
}

/**
 * Converts an `Answer` to a `Response` of the Fetch API, without the body if the request's method is HEAD.
 */
export function responseOf({ status, headers: fields, body }: Answer, method: string): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields)) {
    for (const line of [value].flat()) headers.append(name, line)
  }
  if (!(body instanceof Readable)) {
    if (body !== undefined) headers.set('Content-Length', String(Buffer.byteLength(body)))
    const sent = method === 'HEAD' ? null : ((body as BodyInit | undefined) ?? null)
    return new Response(sent, { status, headers })
  }
  if (method !== 'HEAD') return new Response(streamOf(body), { status, headers })
  body.destroy()
  return new Response(null, { status, headers })
}

// `Readable.toWeb` counts chunks instead of bytes, so it could buffer a gigabyte for a slow reader.
function streamOf(body: Readable): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      body.destroy()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
