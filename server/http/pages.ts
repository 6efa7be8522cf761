import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorTable, retryAfter } from '@/server/kernel/errors'
import type { Connection } from '@/server/kernel/http/call'
import { ownAddress } from '@/server/kernel/http/gitea-addresses'
import { pageHeaders, policyHeader } from '@/server/kernel/http/page-headers'
import { securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'
import { compressResponse } from './compress'
import { answerGoGet } from './go-get'
import type { KeptPages } from './kept-pages/kept-pages'
import { sendShared } from './kept-pages/page'
import type { PageHandler } from './page-handler'
import { renderAbsent } from './render-page'
import type { UnchangedPages } from './unchanged-pages/unchanged-pages'

interface PageSources {
  kept: KeptPages
  unchanged: UnchangedPages | undefined
  baseUrl: string
}

/**
 * Sends a page that was kept, or renders it with access to the connection's data. If the page reports that
 * the database cannot be reached, responds with 503 instead of 500.
 */
export async function answerPage(
  pages: PageHandler,
  { kept, unchanged, baseUrl }: PageSources,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
): Promise<void> {
  response.setHeaders(new Map(Object.entries(securityHeaders)))
  const { pathname, search, searchParams } = addressOf(request)
  if (answerGoGet({ pathname, searchParams }, baseUrl, response)) return
  const moved = ownAddress(pathname, searchParams)
  if (moved) return void response.writeHead(307, { Location: moved }).end()
  const shared = await kept.find(request, connection)
  if (shared) return await sendShared(shared, request, response)
  const opening = isFile.test(request.url ?? '') ? undefined : unchanged?.open(request)
  const exchange: PageExchange = {
    ...connection,
    isData: request.headers.rsc !== undefined,
    ...(opening && { calls: opening.calls }),
  }
  if (await opening?.sendKept(exchange, response)) return
  // The client has left meanwhile.
  if (response.destroyed) return
  const added = pageHeaders(pathname + search)
  if (!isFile.test(request.url ?? '')) response.setHeader('Content-Security-Policy', added[policyHeader])
  compressResponse(request, response, compressed => opening?.keep(exchange, response, compressed))
  request.headers = { ...(opening?.headers ?? request.headers), ...added }
  sendStatus(response, exchange)
  const isOfPage = request.method === 'GET' || request.method === 'HEAD'
  if (isOfPage && request.headers.rsc === undefined) replaceAbsent(pages, request, response, exchange)
  await pageExchanges.run(exchange, async () => await pages(request, response))
}

// Files have no use for a content security policy.
const isFile = /^\/(?:_next\/static|assets)\//

function addressOf({ url: target = '/' }: IncomingMessage): URL {
  const url = new URL(`http://page.invalid${target}`)
  // Next adds it to the address of a page whose data it fetches.
  if (url.searchParams.has('_rsc')) url.searchParams.delete('_rsc')
  return url
}

type WriteHead = (status: number, ...rest: unknown[]) => ServerResponse

// Next responds with 500 whatever the reason for a page's failure, and with 200 for each page that is rendered.
function sendStatus(response: ServerResponse, exchange: PageExchange): void {
  const writeHead = response.writeHead.bind(response) as WriteHead
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const { unavailable, isAbsent } = exchange
    if (status === 200 && isAbsent) return writeHead(404, ...rest)
    if (status !== 500 || !unavailable) return writeHead(status, ...rest)
    for (const [name, value] of Object.entries(retryAfter(unavailable))) response.setHeader(name, value)
    return writeHead(errorTable[unavailable.kind].status, ...rest)
  }
}

// Withholds Next's response for an absent page and sends the rendered not-found page instead.
function replaceAbsent(
  pages: PageHandler,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: PageExchange,
): void {
  // Copies from before Next adds anything of its own.
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
    // With the results of the page that called `notFound`, parts would come in an order that depends on that page, such
    // as on whether it is of a repository that the viewer cannot see.
    delete exchange.calls
    const page = await renderAbsent(pages, headers)
    for (const name of response.getHeaderNames()) response.removeHeader(name)
    for (const [name, value] of Object.entries({ ...sent, ...page.headers })) {
      if (value !== undefined) response.setHeader(name, value)
    }
    response.setHeader('Content-Security-Policy', String(headers[policyHeader]))
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
