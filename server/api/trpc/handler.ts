import { randomUUID } from 'node:crypto'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { findSessionCaller } from '@/server/kernel/auth/find-session'
import { isSameOrigin } from '@/server/kernel/auth/same-origin'
import { readSessionCookie } from '@/server/kernel/auth/session-cookie'
import { anonymous } from '@/server/kernel/caller'
import { isDomainError } from '@/server/kernel/errors'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers'
import type { RequestCtx } from '@/server/trpc/context'
import { maxBodyBytes } from '../rest/gate'
import type { Connection } from '../rest/handler'
import { appRouter } from '../root'
import { contextOf, type Services } from '../services'

export type TrpcHandler = (request: Request, connection: Connection) => Promise<Response>

/** Makes the handler that our own pages talk to: procedures by cookie session, for requests of our own origin. */
export function createTrpcHandler(services: Services): TrpcHandler {
  return async (request, { remoteAddress, requestId = randomUUID() }) => {
    if (request.method !== 'GET' && !isSameOrigin(request.headers, services.config.baseUrl)) {
      return refuse(403, 'this request did not come from a page of this site')
    }
    if (Number(request.headers.get('content-length') ?? 0) > maxBodyBytes) {
      return refuse(413, `the body exceeds the limit of ${maxBodyBytes} bytes`)
    }
    const ctx = await sessionContext(services, request.headers, { remoteAddress, requestId })
    const response = await fetchRequestHandler({
      endpoint: '/api/trpc',
      req: request,
      router: appRouter,
      createContext: () => ctx,
      onError: ({ error, path }) => {
        if (error.code === 'INTERNAL_SERVER_ERROR' && !isDomainError(error.cause)) {
          services.log.error({ err: error.cause ?? error, requestId, path }, 'unexpected failure')
        }
      },
    })
    for (const cookie of ctx.out.cookies) response.headers.append('Set-Cookie', cookie)
    for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value)
    response.headers.set('Cache-Control', privateCaching)
    return response
  }
}

/** The context of somebody known by the session cookie among these headers. */
export async function sessionContext(
  services: Services,
  headers: Headers,
  { remoteAddress, requestId }: Required<Connection>,
): Promise<RequestCtx> {
  const base = contextOf(services, requestId, remoteAddress)
  const secret = readSessionCookie(headers.get('cookie'), services.config.baseUrl)
  const found = secret ? await findSessionCaller(base.db, secret, base.clock.now()) : undefined
  return {
    ...base,
    caller: found ?? anonymous,
    transport: 'trpc',
    out: { cookies: [] },
    userAgent: headers.get('user-agent') ?? '',
  }
}

function refuse(status: number, message: string): Response {
  return Response.json(
    { error: { message, code: -32_600, data: { kind: 'forbidden' } } },
    { status, headers: securityHeaders },
  )
}
