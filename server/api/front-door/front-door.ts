import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import { presentError } from '../rest/presenter'
import type { Services } from '../services'
import { clientAddress } from './client-address'
import { type Connections, createRoutes, type Route } from './routes'

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/**
 * The one HTTP server: API calls go straight to handlers made once, all else to the pages.
 * Every answer carries a request id and the security headers; every request is logged without its query, which may
 * hold a token.
 */
export function createFrontDoor(services: Services, pages: NodeHandler): Server {
  const { config, log } = services
  services.fronted = true
  const connections: Connections = new WeakMap()
  const routeOf = createRoutes(services, connections)
  const page: Route = { mount: 'page', answer: async (request, response) => await pages(request, response) }

  // Silence is cut off by the idle timeout; a slow upload may take as long as it needs.
  const server = createServer({ requestTimeout: 0, headersTimeout: 60_000 }, (request, response) => {
    const requestId = randomUUID()
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const route = routeOf(path) ?? page
    report(services, request, response, { requestId, path, mount: route.mount })
    response.setHeader('X-Request-Id', requestId)
    if (route === page) response.setHeaders(new Map(Object.entries(securityHeaders)))
    connections.set(request, { remoteAddress: clientAddress(request, config.trustedProxies), requestId })
    route.answer(request, response).catch(error => {
      const { status, headers, body } = presentError(error, { baseUrl: config.baseUrl, log, requestId })
      if (response.headersSent) response.destroy()
      else response.writeHead(status, headers).end(body)
    })
  })
  server.timeout = 120_000
  return server
}

// No answer was received, so no status of ours is true; logs and dashboards know this one for it.
const cutShortByClient = 499

function report(
  { log, metrics }: Services,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, path, mount }: { requestId: string; path: string; mount: string },
): void {
  const started = performance.now()
  response.once('close', () => {
    const seconds = (performance.now() - started) / 1000
    const { method = '' } = request
    const status = response.writableFinished ? response.statusCode : cutShortByClient
    metrics.observe({ mount, method, status, seconds })
    log.info({ requestId, method, path, status, ms: Math.round(seconds * 1000), mount }, 'request')
  })
}
