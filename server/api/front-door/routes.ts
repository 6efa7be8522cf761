import { securityHeaders } from '@/server/kernel/http/security-headers'
import { alive, ready } from '../health/health'
import { type Connection, createRestHandler } from '../rest/handler'
import { openApiResponse } from '../rest/openapi'
import type { Services } from '../services'
import { keysText } from '../text/keys'
import { createTrpcHandler } from '../trpc/handler'

export interface Route {
  /** The label of its requests in metrics and logs. */
  mount: string
  handle(request: Request, connection: Required<Connection>): Promise<Response> | Response
}

/** Finds who answers a path without Next; undefined leaves it to the pages. All handlers are made here, once. */
export function createRoutes(services: Services): (path: string) => Route | undefined {
  const rest: Route = { mount: 'rest', handle: createRestHandler(services) }
  const trpc: Route = { mount: 'trpc', handle: createTrpcHandler(services) }
  const exact = new Map<string, Route>([
    ['/api/v1/openapi.json', { mount: 'openapi', handle: () => openApiResponse(services.config) }],
    ['/healthz', { mount: 'health', handle: alive }],
    ['/readyz', { mount: 'health', handle: () => ready(services) }],
    ['/metrics', { mount: 'metrics', handle: () => metrics(services) }],
  ])
  const keys: Route = {
    mount: 'keys-text',
    handle: request => keysText(services, keysOwner(new URL(request.url).pathname) ?? ''),
  }
  return path => {
    const known = exact.get(path)
    if (known) return known
    if (isBelow(path, '/api/v1')) return rest
    if (isBelow(path, '/api/trpc')) return trpc
    return keysOwner(path) === undefined ? undefined : keys
  }
}

// Repeated slashes before the prefix count too: the API forgives them everywhere.
const isBelow = (path: string, prefix: string): boolean => {
  const single = path.startsWith('//') || path.startsWith('/api//') ? path.replace(/\/{2,}/g, '/') : path
  return single === prefix || single.startsWith(`${prefix}/`)
}

const keysOwner = (path: string): string | undefined => /^\/([^/]+)\.keys$/.exec(path)?.[1]

async function metrics({ config, metrics }: Services): Promise<Response> {
  if (!config.metrics) {
    return new Response('metrics are off; start with GUILDHALL_METRICS=on\n', { status: 404, headers: securityHeaders })
  }
  const headers = { ...securityHeaders, 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }
  return new Response(await metrics.read(), { headers })
}
