import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import type { Connection } from '../rest/handler'
import type { Services } from '../services'
import { clientAddress } from './client-address'
import { createListeners } from './listeners'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/**
 * The one HTTP server: API calls go straight to handlers made once, all else to the pages.
 * Every answer carries a request id and the security headers; every request is logged without its query, which may
 * hold a token.
 */
export function createFrontDoor(services: Services, pages: NodeHandler): Server {
  const { config, log, metrics } = services
  const connections = new WeakMap<object, Required<Connection>>()
  const routeOf = createListeners(services, connections)

  const server = createServer({ requestTimeout: 0, headersTimeout: 60_000 }, (request, response) => {
    const started = performance.now()
    const requestId = randomUUID()
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const route = routeOf(path)
    const mount = route?.mount ?? 'page'
    response.setHeader('X-Request-Id', requestId)
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000
      const { method = '' } = request
      const { statusCode: status } = response
      metrics.observe({ mount, method, status, seconds })
      const facts = { requestId, method, path, status, ms: Math.round(seconds * 1000), mount }
      if (response.writableFinished) log.info(facts, 'request')
      else log.info(facts, 'request cut short by the client')
    })
    if (!route) {
      for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
      return void answerPage(request, response)
    }
    connections.set(request, { remoteAddress: clientAddress(request, config.trustedProxies), requestId })
    return void route.listener(request, response)
  })
  // A slow upload may take hours; silence may not.
  server.timeout = 120_000
  return server

  async function answerPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await pages(request, response)
    } catch (error) {
      log.error({ err: error }, 'page failed')
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' })
      response.end('internal error\n')
    }
  }
}
