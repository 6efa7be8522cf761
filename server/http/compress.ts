import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { withoutFailing } from '@/server/kernel/without-failing'
import { acceptedCoding } from './coding'
import { HeldResponse, minBytes, type Send, type Written } from './held-response'

/**
 * Compresses a text if the client accepts it. A response that is written without a pause is compressed at
 * once and sent with one write, after which `takeWhole` gets it. Of one that pauses, and of large files, each
 * part is sent when it was written, with back-pressure.
 */
export function compressResponse(
  request: IncomingMessage,
  response: ServerResponse,
  takeWhole: (compressed: Buffer) => void = () => undefined,
): void {
  const coding = acceptedCoding(request.headers['accept-encoding'])
  const { writeHead, write, end, flushHeaders } = response
  const send: Send = { writeHead, write, end, flushHeaders }
  let isBegun = false
  let held: HeldResponse | undefined

  const begin = (): void => {
    if (!isBegun) response.writeHead(response.statusCode)
  }
  // What is held counts as sent, because the page does not expect to take it back.
  Object.defineProperty(response, 'headersSent', { configurable: true, get: () => isBegun })
  Object.assign(response, {
    writeHead: (status: number, ...rest: unknown[]) => {
      setHead(response, status, rest)
      const isSmaller = isCompressible(response)
      isBegun = true
      if (isSmaller && coding && request.method !== 'HEAD') {
        // Nobody would catch the error, which would end the process.
        held = new HeldResponse(response, send, coding, compressed =>
          withoutFailing(() => takeWhole(compressed)),
        )
        return response
      }
      // From now on, the response takes its usual way.
      Object.assign(response, send)
      delete (response as { headersSent?: boolean }).headersSent
      return response.writeHead(response.statusCode)
    },
    flushHeaders: () => {
      begin()
      // Whoever replaced `writeHead` may have withheld the head.
      if (isBegun && !held) response.flushHeaders()
    },
    write: (...written: Written) => {
      begin()
      return held ? held.write(written) : send.write.apply(response, written as Parameters<Send['write']>)
    },
    end: (...written: Written) => {
      begin()
      if (held) held.end(written)
      else send.end.apply(response, written as Parameters<Send['end']>)
      return response
    },
  })
}

function setHead(response: ServerResponse, status: number, rest: unknown[]): void {
  const [reason, headers = reason] = rest
  response.statusCode = status
  if (typeof reason === 'string') response.statusMessage = reason
  if (typeof headers !== 'object' || headers === null) return
  if (Array.isArray(headers)) {
    // Names and values in turn, as in `sendAnswer`. A name can be repeated.
    for (let at = 0; at < headers.length; at += 2) response.removeHeader(headers[at])
    for (let at = 0; at < headers.length; at += 2) response.appendHeader(headers[at], headers[at + 1])
    return
  }
  for (const [name, value] of Object.entries(headers as OutgoingHttpHeaders)) {
    if (value !== undefined) response.setHeader(name, value)
  }
}

// The types of pages, their data, and their files. Fonts and pictures are compressed already.
const text = /^(?:text\/|image\/svg\+xml|application\/(?:json|javascript|manifest\+json|xml))/

/** Returns whether a response gets smaller, and lets caches know if that depends on the client. */
function isCompressible(response: ServerResponse): boolean {
  if (!text.test(String(response.getHeader('content-type')))) return false
  if (Number(response.getHeader('content-length') ?? minBytes) < minBytes) return false
  response.appendHeader('Vary', 'Accept-Encoding')
  return (
    response.statusCode !== 206 &&
    response.getHeader('content-encoding') === undefined &&
    !/no-transform/.test(String(response.getHeader('cache-control')))
  )
}
