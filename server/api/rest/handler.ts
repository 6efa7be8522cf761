import { randomUUID } from 'node:crypto'
import { createOpenApiNodeHttpHandler } from 'trpc-openapi'
import { authenticate, queryToken } from '@/server/kernel/auth/authenticate'
import { appRouter } from '../root'
import { contextOf, type Services } from '../services'
import { type Exchange, LibraryRequest, type RestCtx } from './exchange'
import { normalisePath, readInput } from './gate'
import { errorResponse, presentError, presentSuccess, successResponse } from './presenter'
import { findEndpoint } from './route-table'

export interface Connection {
  /** Empty where the host does not tell. */
  remoteAddress: string
  requestId?: string
}

export type RestHandler = (request: Request, connection: Connection) => Promise<Response>

/** Makes the handler of every projected endpoint under /api/v1, once for the life of the process. */
export function createRestHandler(services: Services): RestHandler {
  const { config, log } = services

  return async (request, { remoteAddress, requestId = randomUUID() }) => {
    const around = { baseUrl: config.baseUrl, log, requestId }
    const exchange: Partial<Exchange> = {}
    try {
      const asked = new URL(request.url)
      const method = request.method === 'HEAD' ? 'GET' : request.method
      const path = normalisePath(asked.pathname)
      const endpoint = findEndpoint(method, path)
      if (!endpoint) return errorResponse(404, 'not found', config.baseUrl)
      if ('allowed' in endpoint) return refuseMethod(request.method, endpoint.allowed, config.baseUrl)
      exchange.endpoint = endpoint
      exchange.url = new URL(asked.pathname + asked.search, config.baseUrl)
      const base = contextOf(services, requestId, remoteAddress)
      const caller = await authenticate(base, request.headers, asked.searchParams)
      const { input, bodyError } = await readInput(request, asked, endpoint)
      exchange.input = input
      const ctx: RestCtx = {
        ...base,
        caller,
        transport: 'rest',
        bodyError,
        out: { cookies: [] },
        userAgent: request.headers.get('user-agent') ?? '',
        exchange: exchange as Exchange,
      }
      const response = await dispatch(ctx, path)
      if (queryToken(asked.searchParams)) response.headers.set('X-Gitea-Warning', queryTokenWarning)
      return request.method === 'HEAD' ? withoutBody(response) : response
    } catch (error) {
      return presentError(error, around, exchange as Exchange)
    }
  }
}

const queryTokenWarning = 'a token in the query is deprecated: send it in the Authorization header'

// Made once: it compiles its routes here. It answers through the hooks, which know the exchange by the context.
const library = createOpenApiNodeHttpHandler({
  router: appRouter,
  createContext: ({ req }) => (req as unknown as LibraryRequest).ctx,
  responseMeta: ({ ctx, data, errors }) =>
    errors.length > 0 || !ctx ? {} : presentSuccess((ctx as RestCtx).exchange, data?.[0]),
  onError: ({ ctx, error, req }) => {
    const known = (ctx as RestCtx | undefined) ?? (req as unknown as LibraryRequest).ctx
    known.exchange.error = error
  },
} as Parameters<typeof createOpenApiNodeHttpHandler>[0])

function dispatch(ctx: RestCtx, path: string): Promise<Response> {
  const { endpoint, input } = ctx.exchange
  const request = new LibraryRequest(endpoint.method, path, input, input, libraryHeaders, ctx)
  return new Promise((resolve, reject) => {
    let status = 200
    const collected: Record<string, string> = {}
    const response = {
      set statusCode(code: number) {
        status = code
      },
      setHeader(name: string, value: string) {
        if (name !== 'Content-Type') collected[name] = value
      },
      end(body: string | undefined) {
        const { error } = ctx.exchange
        const around = { baseUrl: ctx.config.baseUrl, log: ctx.log, requestId: ctx.requestId }
        resolve(error ? presentError(error, around, ctx.exchange) : successResponse(status, collected, body))
      },
    }
    library(request as never, response as never).catch(reject)
  })
}

// The gate has read and checked the body already; the library only looks whether the type is its own.
const libraryHeaders = new Headers({ 'content-type': 'application/json' })

function refuseMethod(method: string, allowed: string[], baseUrl: string): Response {
  const list = allowed.join(', ')
  return errorResponse(405, `${method} is not possible here; use ${list}`, baseUrl, { Allow: list })
}

const withoutBody = (response: Response): Response =>
  new Response(null, { status: response.status, headers: response.headers })
