import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { acceptedCoding, type Coding } from '../coding'
import type { RenderedPage } from '../render-page'

/** A rendered page that can be sent to many visitors. */
export interface SharedPage {
  status: number
  headers: OutgoingHttpHeaders
  /** Its whole size in memory at most, in bytes. */
  bytes: number
  body: Buffer
  /** The body in each coding that somebody accepted. */
  encoded: Map<string, Promise<Buffer>>
  tag: string
}

// Those that belong to one response. Ours are set on every response by the caller.
const own = /^(?:x-request-id|date|connection|keep-alive|transfer-encoding|content-length|set-cookie)$/i

/** Returns the headers that every response with the same page has. */
export const commonHeaders = (headers: OutgoingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)))

/** Makes a page that was rendered for one visitor ready for others. */
export function sharedPage({ status, headers, body }: RenderedPage): SharedPage {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 27)
  return {
    status,
    headers: commonHeaders(headers),
    // Compressed texts together are less than the text.
    bytes: 2 * body.length,
    body,
    encoded: new Map(),
    // Weak, because the bytes differ between codings.
    tag: `W/"${hash}"`,
  }
}

/** Sends a page, or 304 to a client that has it already. */
export async function sendShared(
  page: SharedPage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(page.headers)) {
    if (value !== undefined) response.setHeader(name, value)
  }
  response.appendHeader('Vary', 'Accept-Encoding')
  if (page.status === 200) response.setHeader('ETag', page.tag)
  if (page.status === 200 && hasTag(request, page.tag)) {
    response.removeHeader('Content-Type')
    return void response.writeHead(304).end()
  }
  const coding = page.body.length >= minBytes ? acceptedCoding(request.headers['accept-encoding']) : undefined
  const body = coding ? await encodedBody(page, coding) : page.body
  if (coding) response.setHeader('Content-Encoding', coding.name)
  response.setHeader('Content-Length', body.length)
  response.writeHead(page.status).end(request.method === 'HEAD' ? undefined : body)
}

const minBytes = 1024

const hasTag = ({ headers }: IncomingMessage, tag: string): boolean =>
  headers['if-none-match']?.split(',').some(one => one.trim() === tag) ?? false

function encodedBody({ body, encoded }: SharedPage, { name, whole }: Coding): Promise<Buffer> {
  const known = encoded.get(name)
  if (known) return known
  const made = new Promise<Buffer>((resolve, reject) => {
    whole(body, (error, result) => (error ? reject(error) : resolve(result)))
  })
  encoded.set(name, made)
  made.catch(() => encoded.delete(name))
  return made
}
