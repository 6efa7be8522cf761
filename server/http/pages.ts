import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorTable, retryAfter } from '@/server/kernel/errors'
import type { Connection } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'

/** What renders pages: Next, or whatever a test puts in its place. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** Has a page rendered, to which it tells the connection, and which tells it when the database cannot be reached. */
export async function answerPage(
  pages: PageHandler,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection,
): Promise<void> {
  response.setHeaders(new Map(Object.entries(securityHeaders)))
  const exchange: PageExchange = { ...connection }
  sendUnavailable(response, exchange)
  await pageExchanges.run(exchange, async () => await pages(request, response))
}

// Next answers 500 whatever a page failed of.
function sendUnavailable(response: ServerResponse, exchange: PageExchange): void {
  const writeHead = response.writeHead.bind(response) as (
    status: number,
    ...rest: unknown[]
  ) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const { unavailable } = exchange
    if (status !== 500 || !unavailable) return writeHead(status, ...rest)
    for (const [name, value] of Object.entries(retryAfter(unavailable))) response.setHeader(name, value)
    return writeHead(errorTable[unavailable.kind].status, ...rest)
  }
}
