import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorTable, retryAfter } from '@/server/kernel/errors'
import { absentHeader } from '@/server/kernel/http/absent-header'
import type { Connection } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'
import { renderAbsent } from './absent-page'
import { compressResponse } from './compress'
import type { PageHandler } from './page-handler'

/**
 * Renders a page with access to the connection's data. If the page reports that the database cannot be
 * reached, responds with 503 instead of 500.
 */
export async function answerPage(
  pages: PageHandler,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
): Promise<void> {
  response.setHeaders(new Map(Object.entries(securityHeaders)))
  delete request.headers[absentHeader]
  compressResponse(request, response)
  const exchange: PageExchange = { ...connection }
  sendUnavailable(response, exchange)
  const isOfPage = request.method === 'GET' || request.method === 'HEAD'
  if (isOfPage && request.headers.rsc === undefined) replaceAbsent(pages, request, response)
  await pageExchanges.run(exchange, async () => await pages(request, response))
}

type WriteHead = (status: number, ...rest: unknown[]) => ServerResponse

// Next responds with 500 whatever the reason for a page's failure.
function sendUnavailable(response: ServerResponse, exchange: PageExchange): void {
  const writeHead = response.writeHead.bind(response) as WriteHead
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const { unavailable } = exchange
    if (status !== 500 || !unavailable) return writeHead(status, ...rest)
    for (const [name, value] of Object.entries(retryAfter(unavailable))) response.setHeader(name, value)
    return writeHead(errorTable[unavailable.kind].status, ...rest)
  }
}

// Withholds Next's response for an absent page and sends the rendered not-found page instead.
function replaceAbsent(pages: PageHandler, request: IncomingMessage, response: ServerResponse): void {
  // Copies from before Next adds anything of its own.
  const address = request.url ?? '/'
  const headers = { ...request.headers }
  const sent = response.getHeaders()
  const writeHead = response.writeHead.bind(response) as WriteHead
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  let isWithheld = false
  let isReplaced = false
  const withholds = (): boolean => {
    if (!response.headersSent) isWithheld ||= isAbsentPage(response)
    return isWithheld
  }
  const replace = async (): Promise<void> => {
    const page = await renderAbsent(pages, address, headers)
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    for (const [name, value] of Object.entries({ ...sent, ...page.headers })) {
      if (value !== undefined) response.setHeader(name, value)
    }
    response.setHeader('Content-Length', page.body.length)
    writeHead(page.status)
    end(page.body)
  }
  Object.assign(response, {
    writeHead: (...args: Parameters<WriteHead>) => {
      response.statusCode = args[0]
      return withholds() ? response : writeHead(...args)
    },
    write: (...args: Parameters<typeof write>) => withholds() || write(...args),
    end: (...args: Parameters<typeof end>) => {
      if (!withholds()) return end(...args)
      if (!isReplaced) replace().catch((error: Error) => void response.destroy(error))
      isReplaced = true
      return response
    },
  })
}

const isAbsentPage = (response: ServerResponse): boolean =>
  response.statusCode === 404 && String(response.getHeader('content-type')).startsWith('text/html')
