import { randomUUID } from 'node:crypto'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { findSessionCaller } from '@/server/kernel/auth/find-session'
import { viewerHeader, viewerName } from '@/server/kernel/auth/page-viewer'
import { requireOwnPage } from '@/server/kernel/auth/same-origin'
import { readSessionCookie } from '@/server/kernel/auth/session-cookie'
import { anonymous, type Caller } from '@/server/kernel/caller'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import { DomainError, errorTable, isDomainError, retryAfter } from '@/server/kernel/errors'
import { callOf } from '@/server/kernel/http/call'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers'
import { requestContext, type Services } from '@/server/services'
import type { RequestCtx } from '@/server/trpc/context'
import { maxBodyBytes } from '../rest/gate'
import type { Connection, RequestConnection } from '../rest/handler'
import { appRouter } from '../root'

export type TrpcHandler = (request: Request, connection: Connection) => Promise<Response>

/**
 * Makes the handler that our own pages talk to: procedures by cookie session, for requests of our own origin, and for
 * the person whom the calling page was rendered for and nobody else.
 */
export function createTrpcHandler(services: Services): TrpcHandler {
  return async (request, { remoteAddress, requestId = randomUUID(), gone }) => {
    try {
      return await carryOut(services, request, { remoteAddress, requestId, gone })
    } catch (error) {
      const known = domainErrorOf(error, { log: services.log, requestId })
      if (!known) throw error
      return refuse(known)
    }
  }
}

async function carryOut(
  services: Services,
  request: Request,
  connection: RequestConnection,
): Promise<Response> {
  if (request.method !== 'GET') requireOwnPage(request.headers, services.config.baseUrl)
  const whole = await readWhole(request)
  const ctx = await sessionContext(services, request.headers, connection)
  const changed = viewerChange(request, ctx.caller)
  if (changed) throw changed
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: whole,
    router: appRouter,
    allowMethodOverride: true,
    // One request must not carry hundreds of guesses past whatever counts requests.
    allowBatching: false,
    createContext: () => ctx,
    responseMeta: ({ errors: [error] }) =>
      isDomainError(error?.cause) ? { headers: new Headers(retryAfter(error.cause)) } : {},
    onError: ({ error, path }) => {
      if (error.code === 'INTERNAL_SERVER_ERROR' && !isDomainError(error.cause)) {
        const { requestId } = connection
        services.log.error({ err: error.cause ?? error, requestId, path }, 'unexpected failure')
      }
    },
  })
  for (const cookie of ctx.out.cookies) response.headers.append('Set-Cookie', cookie)
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value)
  response.headers.set('Cache-Control', privateCaching)
  return response
}

/** The context of somebody known by the session cookie among these headers. */
export async function sessionContext(
  services: Services,
  headers: Headers,
  { remoteAddress, requestId, gone }: RequestConnection,
): Promise<RequestCtx> {
  const base = requestContext(services, { requestId, remoteAddress, gone })
  const secret = readSessionCookie(headers.get('cookie'), services.config.baseUrl)
  const found = secret ? await findSessionCaller(base.db, secret, base.clock.now()) : undefined
  return {
    ...base,
    caller: found ?? anonymous,
    out: { cookies: [] },
    userAgent: headers.get('user-agent') ?? '',
  }
}

// The library reads a body to its end, however long that is.
async function readWhole(request: Request): Promise<Request> {
  if (request.method !== 'POST') return request
  const bytes = await callOf(request).body(maxBodyBytes)
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: new Uint8Array(bytes) })
}

/**
 * Every tab of a browser sends the one cookie, whoever a page in it was rendered for: a form filled in by one person
 * must not be carried out for the next one. Reading without the header, as nothing but a page's script sends it, is
 * harmless; changing is not.
 */
function viewerChange({ headers, method }: Request, caller: Caller): DomainError | undefined {
  const renderedFor = headers.get(viewerHeader)
  if (renderedFor === null && method === 'GET') return undefined
  const user = caller.kind === 'user' ? caller.user : undefined
  if (renderedFor === viewerName(user?.id)) return undefined
  const message = user ? `you are signed in as ${user.name} in another tab` : 'your session has ended'
  return new DomainError('viewerChanged', message, { viewer: user?.name ?? null })
}

function refuse(failure: DomainError): Response {
  const { kind, message, viewer } = failure
  const error = { message, code: -32_600, data: { kind, viewer } }
  const headers = { ...securityHeaders, ...retryAfter(failure) }
  return Response.json({ error }, { status: errorTable[kind].status, headers })
}
