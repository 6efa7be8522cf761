import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { PageHandler } from './page-handler'

// Next's page for paths that do not exist.
const notFoundPath = '/_not-found'

/** A rendered page, ready to be sent. */
export interface RenderedPage {
  status: number
  headers: ReturnType<ServerResponse['getHeaders']>
  body: Buffer
}

/**
 * Renders the not-found page for a request with these headers, which include those of `pageHeaders`. The
 * response that Next itself sends for a page that calls `notFound` only renders with JavaScript.
 */
export function renderAbsent(pages: PageHandler, headers: IncomingMessage['headers']): Promise<RenderedPage> {
  return renderPage(pages, notFoundPath, headers)
}

/** Renders a page for a request with these headers, which nobody has sent. */
export async function renderPage(
  pages: PageHandler,
  url: string,
  headers: IncomingMessage['headers'],
): Promise<RenderedPage> {
  // Next stores state on the request, so a new one is used. It has no body, and nothing is connected to its
  // socket.
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'GET', url, complete: true, httpVersion: '1.1' })
  request.headers = headers
  request.push(null)
  const response = new ServerResponse(request)
  const chunks: Buffer[] = []
  const add = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding as BufferEncoding))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  await new Promise<void>((resolve, reject) => {
    const write = (...[chunk, encoding]: unknown[]): boolean => {
      if (!response.headersSent) response.writeHead(response.statusCode)
      add(chunk, encoding)
      return true
    }
    const end = (...[chunk, encoding]: unknown[]): ServerResponse => {
      write(chunk, typeof encoding === 'string' ? encoding : undefined)
      response.finished = true
      process.nextTick(() => {
        response.emit('finish')
        response.emit('close')
      })
      resolve()
      return response
    }
    Object.assign(response, { write, end })
    Promise.resolve(pages(request, response)).catch(reject)
  })
  return { status: response.statusCode, headers: response.getHeaders(), body: Buffer.concat(chunks) }
}
