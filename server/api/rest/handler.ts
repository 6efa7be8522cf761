import { randomUUID } from 'node:crypto'
import { createOpenApiNodeHttpHandler } from 'trpc-openapi'
import { authenticate } from '@/server/kernel/auth/authenticate'
import type { Answer, Call } from '@/server/kernel/http/call'
import { queryToken } from '@/server/kernel/http/query-token'
import { requestContext, type Services } from '@/server/services'
import { requireScopes } from '@/server/trpc/admission'
import { appRouter } from '../root'
import { normalisePath, readInput } from './gate'
import { type Exchange, LibraryRequest, type RestCtx } from './library/exchange'
import { requirePathObject } from './path-object'
import { errorAnswer, presentError, presentSuccess, successAnswer } from './presenter'
import { escapeTail, findEndpoint } from './route-table'

export interface Connection {
  /** Empty where the host does not tell. */
  remoteAddress: string
  requestId?: string
  /** Aborted when the client goes away before the answer is complete. */
  gone?: (() => AbortSignal) | undefined
}

/** Of a request that has its id. */
export type RequestConnection = Connection & { requestId: string }

export type RestHandler = (call: Call, connection: Connection) => Promise<Answer>

/** Makes the handler of every projected endpoint under /api/v1, once for the life of the process. */
export function createRestHandler(services: Services): RestHandler {
  const { baseUrl } = services.config

  return async (call, { remoteAddress, requestId = randomUUID(), gone }) => {
    const method = call.method === 'HEAD' ? 'GET' : call.method
    const path = escapeTail(normalisePath(call.path))
    const endpoint = findEndpoint(method, path)
    if (!endpoint) return errorAnswer(404, 'not found', baseUrl)
    if ('allowed' in endpoint) return refuseMethod(call.method, endpoint.allowed, baseUrl)
    const exchange: Exchange = { endpoint, path, query: call.query, input: {} }
    try {
      const answer = await carryOut(services, call, path, exchange, { remoteAddress, requestId, gone })
      return call.method === 'HEAD' ? { ...answer, body: undefined } : answer
    } catch (error) {
      return presentError(error, { baseUrl, log: services.log, requestId }, exchange)
    }
  }
}

const noQuery = new URLSearchParams()
const nothing = { input: {}, bodyError: undefined }

async function carryOut(
  services: Services,
  call: Call,
  path: string,
  exchange: Exchange,
  { remoteAddress, requestId, gone }: RequestConnection,
): Promise<Answer> {
  const query = call.query ? new URLSearchParams(call.query) : noQuery
  const base = requestContext(services, { requestId, remoteAddress, gone })
  const caller = await authenticate(base, call.headers, query)
  const { meta } = exchange.endpoint
  // Whoever may not call it anyway does not get to send a body first.
  requireScopes({ caller }, meta)
  const turnedAway = caller.kind === 'anonymous' && !meta.rest.anonymous
  if (turnedAway) await requirePathObject({ ...base, caller }, exchange.endpoint.path, path)
  const { input, bodyError } = turnedAway ? nothing : await readInput(call, query, exchange.endpoint)
  exchange.input = input
  const userAgent = call.headers.get('user-agent') ?? ''
  const answer = await dispatch(
    { ...base, caller, bodyError, out: { cookies: [] }, userAgent, exchange },
    path,
  )
  if (queryToken(query)) answer.headers['X-Gitea-Warning'] = queryTokenWarning
  return answer
}

const queryTokenWarning = 'a token in the query is deprecated: send it in the Authorization header'

// Made once: it compiles its routes here. It answers through the hooks, which know the exchange by the context.
const library = createOpenApiNodeHttpHandler({
  router: appRouter,
  createContext: ({ req }) => (req as unknown as LibraryRequest).ctx,
  responseMeta: ({ ctx, data, errors }) => {
    if (errors.length > 0 || !ctx) return {}
    const { exchange, config } = ctx as RestCtx
    return presentSuccess(exchange, data?.[0], config.baseUrl)
  },
  onError: ({ error, req }) => {
    ;(req as unknown as LibraryRequest).ctx.exchange.error = error
  },
} as Parameters<typeof createOpenApiNodeHttpHandler>[0])

function dispatch(ctx: RestCtx, path: string): Promise<Answer> {
  const { endpoint, input } = ctx.exchange
  const request = new LibraryRequest(endpoint.method, path, input, input, libraryHeaders, ctx)
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = {}
    const response = {
      statusCode: 200,
      setHeader(name: string, value: string) {
        if (name !== 'Content-Type') headers[name] = value
      },
      end(body: string | undefined) {
        const { error } = ctx.exchange
        const around = { baseUrl: ctx.config.baseUrl, log: ctx.log, requestId: ctx.requestId }
        resolve(
          error
            ? presentError(error, around, ctx.exchange)
            : successAnswer(response.statusCode, headers, body),
        )
      },
    }
    library(request as never, response as never).catch(reject)
  })
}

// The gate has read and checked the body already; the library only looks whether the type is its own.
const libraryHeaders = new Headers({ 'content-type': 'application/json' })

function refuseMethod(method: string, allowed: string[], baseUrl: string): Answer {
  const list = allowed.join(', ')
  return errorAnswer(405, `${method} is not possible here; use ${list}`, baseUrl, { Allow: list })
}
