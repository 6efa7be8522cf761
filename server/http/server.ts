import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Mount } from '@/server/api/mount'
import { mounts as allMounts } from '@/server/api/mounts'
import { presentError } from '@/server/api/rest/presenter'
import { strictTransportSecurity } from '@/server/kernel/http/security-headers.mjs'
import { createRequestLog, type RequestLine } from '@/server/kernel/log'
import { shareConnections } from '@/server/kernel/share-connections'
import type { Services } from '@/server/services'
import { connectionAddress, createClients } from './client-address'
import { maxHeadBytes, noteAnswer, refuseMalformed } from './malformed'
import { sendAnswer } from './node-adapter'
import type { PageHandler } from './page-handler'
import { createRefusal } from './refuse-connection'
import { createRoutes } from './routes'
import type { UnchangedPages } from './unchanged-pages/unchanged-pages'

/** Far more than people and a proxy keep open, and few enough that the data they send fits into memory. */
const defaultMaxConnections = 5000

/**
 * Time in milliseconds after which an idle connection is closed. It is longer than the usual minute of
 * proxies: if the server closed a connection first, a request that is just arriving would be lost.
 */
export const keepAliveMs = 65_000

const defaultBodyDeadlineMs = 30_000
const idleTimeoutMs = 120_000

interface HttpServerOptions {
  bodyDeadlineMs?: number
  maxConnections?: number
  mounts?: readonly Mount[]
  /** Absent if every page is rendered for each request of somebody who is signed in. */
  unchanged?: UnchangedPages
}

/**
 * Creates the HTTP server. Requests that match a mount go directly to its handler, all others to the pages.
 * Every response has a request ID and the security headers. Every request is logged without its query string,
 * which may contain a token. A connection whose request body has not arrived by the deadline is closed; for
 * mounts that pace bodies themselves, the deadline starts after the response. A client that sends
 * `Expect: 100-continue` receives the go-ahead once something reads its body.
 */
export function createHttpServer(
  services: Services,
  pages: PageHandler,
  {
    bodyDeadlineMs = defaultBodyDeadlineMs,
    maxConnections = defaultMaxConnections,
    mounts = allMounts,
    unchanged,
  }: HttpServerOptions = {},
): Server {
  const { config, log } = services
  services.ownsHttp = true
  const routeOf = createRoutes(services, mounts, pages, unchanged)
  const always = Object.entries(strictTransportSecurity(config.baseUrl)).flat()
  const clientOf = createClients(config.trustedProxies)
  const report = createReport(services)

  const answer = (request: IncomingMessage, response: ServerResponse, invite: () => void): void => {
    noteAnswer(request.socket, response)
    // The client opens its next connection to a process that goes on.
    if (services.retiring || !services.accepting) response.shouldKeepAlive = false
    const requestId = randomUUID()
    const path = pathOf(request.url ?? '/')
    const route = routeOf(path, request)
    report(request, response, { requestId, path, mount: route.mount })
    if (route.deadlineAfterAnswer) response.once('finish', () => endSlowBody(request, bodyDeadlineMs))
    else endSlowBody(request, bodyDeadlineMs)
    const { remoteAddress, behindTrustedProxy } = clientOf(request)
    let disconnected: AbortSignal | undefined
    const connection = {
      remoteAddress,
      requestId,
      behindTrustedProxy,
      disconnected: () => (disconnected ??= disconnectSignal(response)),
      suspendIdleTimeout: () => suspendIdleTimeout(request.socket),
    }
    const headers = ['X-Request-Id', requestId, ...always]
    route.answer(request, response, { connection, headers, invite }).catch(error => {
      // The client disconnected while sending its body, which is not a server error.
      if (error === request.errored) return void response.destroy()
      const refusal = presentError(error, { baseUrl: config.baseUrl, log, requestId })
      if (response.headersSent) response.destroy()
      else void sendAnswer(refusal, response, { headers, isHead: request.method === 'HEAD' })
    })
  }
  // The idle timeout closes silent connections; a slow push may take as long as it needs.
  const timeouts = { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: keepAliveMs }
  const options = { ...timeouts, maxHeaderSize: maxHeadBytes }
  const server = createServer(options, (request, response) => answer(request, response, () => undefined))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const { shouldKeepAlive } = response
    let invited = false
    // A client that was not asked to continue may still send its body, so its connection cannot be reused.
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
  const addressOf = (socket: Socket) => connectionAddress(socket, config.trustedProxies)
  shareConnections(server, maxConnections, addressOf, createRefusal(log))
  return server
}

// A small body that has not arrived blocks the connection, whether or not a response has been sent.
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

/** Returns a signal that aborts when the connection closes or the response is complete. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  // Everything that the request waits for adds a listener.
  setMaxListeners(0, disconnected.signal)
  if (response.closed) disconnected.abort()
  else response.once('close', () => disconnected.abort())
  return disconnected.signal
}

// No response was received, so none of our statuses would be true. Logs and dashboards know 499 for this
// case.
const cutShortByClient = 499

type Facts = Pick<RequestLine, 'requestId' | 'path' | 'mount'>

function createReport({
  log,
  metrics,
}: Services): (request: IncomingMessage, response: ServerResponse, facts: Facts) => void {
  const logRequest = createRequestLog(log)
  return ({ method = '' }, response, { requestId, path, mount }) => {
    const started = performance.now()
    response.on('close', () => {
      const seconds = (performance.now() - started) / 1000
      const status = response.writableFinished ? response.statusCode : cutShortByClient
      metrics.observe({ mount, method, status, seconds })
      logRequest({ requestId, method, path, status, ms: Math.round(seconds * 1000), mount })
    })
  }
}

function pathOf(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}
