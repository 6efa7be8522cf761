import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Mount } from '@/server/api/mount'
import { mounts as allMounts } from '@/server/api/mounts'
import { presentError } from '@/server/api/rest/presenter'
import { strictTransportSecurity } from '@/server/kernel/http/security-headers.mjs'
import { shareConnections } from '@/server/kernel/share-connections'
import type { Services } from '@/server/services'
import { clientAddress, connectionAddress } from './client-address'
import { maxHeadBytes, noteAnswer, refuseMalformed } from './malformed'
import type { PageHandler } from './page-handler'
import { createRefusal } from './refuse-connection'
import { createRoutes } from './routes'

/** Far more than people and a proxy keep open, and few enough that what they send fits into memory. */
const defaultMaxConnections = 5000

/**
 * How long a connection may be left alone. Proxies keep theirs for a minute: one that we ended first would take the
 * request that is just coming with it.
 */
export const keepAliveMs = 65_000

const defaultBodyDeadlineMs = 30_000
const idleTimeoutMs = 120_000

/**
 * Creates the HTTP server: requests to a mount go straight to its handler, which is made once, all others to the pages.
 * Every answer carries a request id and the security headers; every request is logged without its query, which may
 * hold a token. A connection that has not sent the whole body by the deadline is closed; where the mount paces
 * bodies itself, the deadline begins with the end of the answer. A client that asks first (`Expect: 100-continue`) is invited
 * to send its body once something reads it.
 */
export function createHttpServer(
  services: Services,
  pages: PageHandler,
  {
    bodyDeadlineMs = defaultBodyDeadlineMs,
    maxConnections = defaultMaxConnections,
    mounts = allMounts,
  }: { bodyDeadlineMs?: number; maxConnections?: number; mounts?: readonly Mount[] } = {},
): Server {
  const { config, log } = services
  services.ownsHttp = true
  const routeOf = createRoutes(services, mounts, pages)
  const always = Object.entries(strictTransportSecurity(config.baseUrl))

  const answer = (request: IncomingMessage, response: ServerResponse, invite: () => void): void => {
    noteAnswer(request.socket, response)
    const requestId = randomUUID()
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    const route = routeOf(path, request)
    report(services, request, response, { requestId, path, mount: route.mount })
    if (route.deadlineAfterAnswer) response.once('finish', () => endSlowBody(request, bodyDeadlineMs))
    else endSlowBody(request, bodyDeadlineMs)
    response.setHeader('X-Request-Id', requestId)
    for (const [name, value] of always) response.setHeader(name, value)
    const remoteAddress = clientAddress(request, config.trustedProxies)
    let disconnected: AbortSignal | undefined
    const connection = {
      remoteAddress,
      requestId,
      behindTrustedProxy: config.trustedProxies(request.socket.remoteAddress),
      disconnected: () => (disconnected ??= disconnectSignal(response)),
      suspendIdleTimeout: () => suspendIdleTimeout(request.socket),
    }
    route.answer(request, response, connection, invite).catch(error => {
      // The client went away in the middle of its body, which is no failure of ours.
      if (error === request.errored) return void response.destroy()
      const { status, headers, body } = presentError(error, { baseUrl: config.baseUrl, log, requestId })
      if (response.headersSent) response.destroy()
      else response.writeHead(status, headers).end(body)
    })
  }
  // Silence is cut off by the idle timeout; a slow push may take as long as it needs.
  const timeouts = { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: keepAliveMs }
  const options = { ...timeouts, maxHeaderSize: maxHeadBytes }
  const server = createServer(options, (request, response) => answer(request, response, () => undefined))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const { shouldKeepAlive } = response
    let invited = false
    // Whether a client that was not invited sends the body all the same is up to it: its connection is of no use.
    response.shouldKeepAlive = false
    answer(request, response, () => {
      if (invited || response.headersSent) return
      invited = true
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
  })
  server.on('clientError', (error: Error, socket: Duplex) => {
    refuseMalformed(error, socket, config.baseUrl)
  })
  server.timeout = idleTimeoutMs
  server.maxConnections = maxConnections
  const addressOf = (socket: Socket) => connectionAddress(socket, config.trustedProxies)
  shareConnections(server, maxConnections / 4, addressOf, createRefusal(log))
  return server
}

// A body that is small and still not here is holding the connection, whether it has been answered already or not.
function endSlowBody(request: IncomingMessage, deadlineMs: number): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (request.complete || (!encoding && (!length || length === '0'))) return
  const { socket } = request
  const deadline = setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, deadlineMs)
  request.once('close', () => clearTimeout(deadline))
}

function suspendIdleTimeout(socket: Socket): () => void {
  socket.setTimeout(0)
  return () => void socket.setTimeout(idleTimeoutMs)
}

/** Aborts when the connection ends, or the answer is complete. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  // Whatever the request waits for listens to it.
  setMaxListeners(0, disconnected.signal)
  if (response.closed) disconnected.abort()
  else response.once('close', () => disconnected.abort())
  return disconnected.signal
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
