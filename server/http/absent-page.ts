import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { absentHeader, notFoundPath } from '@/server/kernel/http/absent-header'
import type { PageHandler } from './page-handler'

/** A page as it is answered. */
interface RenderedPage {
  status: number
  headers: ReturnType<ServerResponse['getHeaders']>
  body: Buffer
}

/**
 * Has the not-found page rendered for a request to this address. What Next answers by itself, where a page finds out that
 * there is nothing, is drawn by scripts alone.
 */
export async function renderAbsent(
  pages: PageHandler,
  address: string,
  headers: IncomingMessage['headers'],
): Promise<RenderedPage> {
  // Next notes on a request what it did with it, so this is another one. It has no body, and nobody listens to its socket.
  const request = new IncomingMessage(new Socket())
  Object.assign(request, { method: 'GET', url: notFoundPath, complete: true, httpVersion: '1.1' })
  request.headers = { ...headers, [absentHeader]: address }
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
