import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { responseOf } from '@/server/kernel/http/call'
import { securityHeaders } from '@/server/kernel/http/security-headers'
import { createGitHandler } from '../git/handler'
import { type GitTarget, parseGitPath } from '../git/target'
import { alive, ready } from '../health/health'
import { type Connection, createRestHandler } from '../rest/handler'
import { openApiResponse } from '../rest/openapi'
import { errorAnswer, presentError } from '../rest/presenter'
import type { Services } from '../services'
import { keysText } from '../text/keys'
import { createTrpcHandler } from '../trpc/handler'
import { answerCall } from './json-listener'

export interface Route {
  /** The label of its requests in metrics and logs. */
  mount: string
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
}

type WebHandler = (request: Request, connection: Required<Connection>) => Promise<Response> | Response
export type Connections = WeakMap<object, Required<Connection>>

const unknown = { remoteAddress: '', requestId: '' }

/** Finds who answers a path without Next; undefined leaves it to the pages. All handlers are made here, once. */
export function createRoutes(
  services: Services,
  connections: Connections,
): (path: string) => Route | undefined {
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
      // The library would replace the process's own Request and Response, which Next relies on.
      { overrideGlobalObjects: false },
    ),
  })
  const trpc = web('trpc', createTrpcHandler(services))
  const keys = web(
    'keys-text',
    readOnly(({ url }) => keysText(services, keysOwner(new URL(url).pathname) ?? '')),
  )
  const handleGit = createGitHandler(services)
  const git = (target: GitTarget): Route => ({
    mount: 'git',
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
        readOnly(() => metrics(services)),
      ),
    ],
  ])
  const { baseUrl } = services.config
  const noPath: Route = {
    mount: 'none',
    answer: (request, response) =>
      answerCall(request, response, async () => errorAnswer(400, 'the request names no path', baseUrl)),
  }
  return path => {
    // `OPTIONS *` and the absolute form that proxies take are not for us.
    if (!path.startsWith('/')) return noPath
    const known = exact.get(path)
    if (known) return known
    if (isBelow(path, '/api/v1')) return rest
    if (isBelow(path, '/api/trpc')) return trpc
    if (keysOwner(path) !== undefined) return keys
    const target = parseGitPath(path)
    if (target) return git(target)
    // Next answers a path it cannot decode with an error of its own.
    return isDecodable(path) ? undefined : noPath
  }
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

async function metrics({ config, metrics }: Services): Promise<Response> {
  if (!config.metrics) {
    const text = 'metrics are off; start with GUILDHALL_METRICS=on\n'
    return new Response(text, { status: 404, headers: securityHeaders })
  }
  const headers = { ...securityHeaders, 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }
  return new Response(await metrics.read(), { headers })
}
