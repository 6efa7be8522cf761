import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { keysText } from '@/server/api/authorized-keys/handler'
import { createFormHandler } from '@/server/api/forms/handler'
import { type GitTarget, isGitService, parseGitPath } from '@/server/api/git/git-path'
import { createGitHandler } from '@/server/api/git/handler'
import { alive, ready } from '@/server/api/health/health'
import { createRestHandler, type RequestConnection } from '@/server/api/rest/handler'
import { openApiResponse } from '@/server/api/rest/openapi'
import { errorAnswer, presentError } from '@/server/api/rest/presenter'
import { createTrpcHandler } from '@/server/api/trpc/handler'
import { errorTable, retryAfter } from '@/server/kernel/errors'
import { responseOf } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'
import type { Services } from '@/server/services'
import { answerCall } from './json-listener'

export interface Route {
  /** The label of its requests in metrics and logs. */
  mount: string
  /** The body may come for as long as there is no answer; only then the deadline for it begins. */
  deadlineAfterAnswer?: boolean
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void
type WebHandler = (request: Request, connection: RequestConnection) => Promise<Response> | Response
export type Connections = WeakMap<object, RequestConnection>

const unknown = { remoteAddress: '', requestId: '', gone: undefined }

/** Finds who answers a request; what nobody else knows is for the pages. All handlers are made here, once. */
export function createRoutes(
  services: Services,
  connections: Connections,
  pages: NodeHandler,
): (path: string, request: IncomingMessage) => Route {
  const restHandler = createRestHandler(services)
  const rest: Route = {
    mount: 'rest',
    answer: (request, response) =>
      answerCall(request, response, call => restHandler(call, connections.get(request) ?? unknown)),
  }
  const web = (mount: string, handle: WebHandler): Route => ({
    mount,
    answer: getRequestListener(
      async (request, { incoming }) => {
        const connection = connections.get(incoming) ?? unknown
        try {
          return await handle(request, connection)
        } catch (error) {
          const { config, log } = services
          return responseOf(presentError(error, { baseUrl: config.baseUrl, log, ...connection }))
        }
      },
      // The library would replace the process's own Request and Response, which Next relies on. Requests of HTTP/1.0,
      // such as the checks of load balancers, need not name a host.
      { overrideGlobalObjects: false, hostname: 'localhost' },
    ),
  })
  const trpc = web('trpc', createTrpcHandler(services))
  const forms = web('forms', createFormHandler(services))
  const keys = web(
    'keys-text',
    readOnly(({ url }) => keysText(services, keysOwner(new URL(url).pathname) ?? '')),
  )
  const handleGit = createGitHandler(services)
  const git = (target: GitTarget): Route => ({
    mount: 'git',
    deadlineAfterAnswer: isGitService(target.part),
    answer: (request, response) => handleGit(target, request, response, connections.get(request) ?? unknown),
  })
  const exact = new Map<string, Route>([
    ['/api/v1/openapi.json', web('openapi', readOnly(openApiResponse))],
    ['/healthz', web('health', readOnly(alive))],
    [
      '/readyz',
      web(
        'health',
        readOnly(() => ready(services)),
      ),
    ],
    [
      '/metrics',
      web(
        'metrics',
        readOnly(request => metrics(services, request)),
      ),
    ],
  ])
  const { baseUrl } = services.config
  const refused = (status: number, message: string, headers: Record<string, string> = {}): Route => ({
    mount: 'none',
    answer: (request, response) =>
      answerCall(request, response, async () => errorAnswer(status, message, baseUrl, headers)),
  })
  const noPath = refused(400, 'the request names no path')
  const twoHosts = refused(400, 'the request names more than one Host')
  const wrongMethod = refused(405, 'pages answer GET, HEAD and POST', { Allow: 'GET, HEAD, POST' })
  const page: Route = {
    mount: 'page',
    answer: async (request, response) => {
      response.setHeaders(new Map(Object.entries(securityHeaders)))
      const exchange: PageExchange = { ...(connections.get(request) ?? unknown) }
      tellUnavailable(response, exchange)
      await pageExchanges.run(exchange, async () => await pages(request, response))
    },
  }
  return (path, request) => {
    if (namesTwoHosts(request)) return twoHosts
    // `OPTIONS *` and the absolute form that proxies take are not for us.
    if (!path.startsWith('/')) return noPath
    const known = exact.get(path)
    if (known) return known
    if (isBelow(path, '/api/v1')) return rest
    if (isBelow(path, '/api/trpc')) return trpc
    if (path.startsWith('/-/forms/')) return forms
    if (keysOwner(path) !== undefined) return keys
    const target = parseGitPath(path)
    if (target) return git(target)
    // Next answers a path it cannot decode, and methods it does not know, with errors of its own.
    if (!isDecodable(path)) return noPath
    return pageMethods.has(request.method ?? '') ? page : wrongMethod
  }
}

// Next answers 500 whatever a page failed of.
function tellUnavailable(response: ServerResponse, exchange: PageExchange): void {
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

// A form sent before its scripts are there arrives by POST, so that what was typed is in no address.
const pageMethods = new Set(['GET', 'HEAD', 'POST'])

// Whoever is in front of us may have believed the other one.
function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

function readOnly(handle: (request: Request) => Promise<Response> | Response): WebHandler {
  return request => {
    if (request.method === 'GET' || request.method === 'HEAD') return handle(request)
    return new Response('', { status: 405, headers: { ...securityHeaders, Allow: 'GET, HEAD' } })
  }
}

// Repeated slashes before the prefix count too: the API forgives them everywhere.
const isBelow = (path: string, prefix: string): boolean => {
  const single = path.startsWith('//') || path.startsWith('/api//') ? path.replace(/\/{2,}/g, '/') : path
  return single === prefix || single.startsWith(`${prefix}/`)
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const keysOwner = (path: string): string | undefined => /^\/([^/]+)\.keys$/.exec(path)?.[1]

async function metrics({ config, metrics }: Services, request: Request): Promise<Response> {
  if (!config.metrics) {
    const text = 'metrics are off; start with GUILDHALL_METRICS=on\n'
    return new Response(text, { status: 404, headers: securityHeaders })
  }
  if (config.metricsToken && !isBearer(request.headers.get('authorization'), config.metricsToken)) {
    const headers = { ...securityHeaders, 'WWW-Authenticate': 'Bearer realm="metrics"' }
    return new Response('send the token as Authorization: Bearer <token>\n', { status: 401, headers })
  }
  const headers = { ...securityHeaders, 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }
  return new Response(await metrics.read(), { headers })
}

// Digests, as the comparison wants both of one length.
function isBearer(authorization: string | null, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`))
}
