import { TRPCError } from '@trpc/server'
import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { resolveCaller } from '@/server/auth/authenticate'
import { viewerHeader } from '@/server/auth/page-viewer'
import { requireViewer } from '@/server/auth/require-viewer'
import { requireOwnPage } from '@/server/auth/same-origin'
import { type Caller, isAnonymous } from '@/server/kernel/caller'
import { isDomainError, methodNotAllowed, retryAfter, unauthenticated } from '@/server/kernel/errors'
import type { Answer, Call, Connection, HeaderReader } from '@/server/kernel/http/call'
import { type Explanation, explainError } from '@/server/kernel/http/explain'
import { privateCaching, securityHeaders } from '@/server/kernel/http/security-headers.mjs'
import { requestContext, type Services } from '@/server/services'
import type { RequestCtx } from '@/server/trpc/init'
import { maxBodyBytes, readLargeBody, withLargeBody } from '../large-body'
import { isBelow, type Mount } from '../mount'
import { requireShallow } from '../rest/gate'
import { appRouter } from '../root'

/**
 * Mount of the page procedures at `/api/trpc`. Callers are identified by session cookie. Requests must come
 * from our own origin, and from a page that was rendered for the user who is signed in.
 */
export const trpcMount: Mount = {
  name: 'trpc',
  match: path => isBelow(path, '/api/trpc'),
  pacesBody: takesFiles,
  createHandler: services => async (call, connection) => {
    try {
      return await handle(services, call, connection)
    } catch (error) {
      const explained = explainError(error, { log: services.log, requestId: connection.requestId })
      const headers = { ...securityHeaders, 'Content-Type': 'application/json', ...explained.retryAfter }
      return { status: explained.status, headers, body: JSON.stringify({ error: errorShape(explained) }) }
    }
  },
}

async function handle(services: Services, call: Call, connection: Connection): Promise<Answer> {
  if (call.method !== 'GET') requireOwnPage(call.headers, services.config.baseUrl)
  const ctx = await sessionContext(services, call.headers, connection)
  if (takesFiles(call.path, call.method)) {
    requireOwnViewer(call, ctx.caller)
    if (isAnonymous(ctx.caller)) throw unauthenticated()
    return await withLargeBody(ctx, call, () => handleLarge(ctx, call, connection))
  }
  const request = await libraryRequest(call, connection)
  requireOwnViewer(call, ctx.caller)
  return await respond(ctx, request)
}

async function handleLarge(ctx: RequestCtx, call: Call, connection: Connection): Promise<Answer> {
  const { json, texts, close } = await readLargeBody(ctx, call)
  try {
    return await respond({ ...ctx, spilled: texts }, await libraryRequest(call, connection, json))
  } finally {
    await close()
  }
}

async function respond(ctx: RequestCtx, request: Request): Promise<Answer> {
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    allowMethodOverride: true,
    // A batch could carry hundreds of password guesses past limits that count requests.
    allowBatching: false,
    createContext: ({ info }) => {
      // Streams have their own mount; this request used another spelling of the path.
      if (info.type === 'subscription') throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' })
      return ctx
    },
    responseMeta: ({ errors: [error] }) =>
      isDomainError(error?.cause) ? { headers: new Headers(retryAfter(error.cause)) } : {},
    onError: ({ error, path }) => {
      // Logs unexpected failures.
      const { log, requestId } = ctx
      if (error.code === 'INTERNAL_SERVER_ERROR') explainError(error, { log: log.child({ path }), requestId })
    },
  })
  const headers = {
    ...Object.fromEntries(response.headers),
    ...securityHeaders,
    'Cache-Control': privateCaching,
    'Set-Cookie': ctx.out.cookies,
  }
  return { status: response.status, headers, body: await response.text() }
}

/** Creates the context of a request whose caller is identified by the session cookie. */
export async function sessionContext(
  services: Services,
  headers: HeaderReader,
  connection: Connection,
): Promise<RequestCtx> {
  const base = requestContext(services, connection)
  return {
    ...base,
    caller: await resolveCaller(base, { cookie: headers.get('cookie') }),
    out: { cookies: [] },
    userAgent: headers.get('user-agent') ?? '',
  }
}

// The library needs a web request and would read a body of any length, so we read it up to the limit first.
async function libraryRequest(call: Call, { disconnected }: Connection, json?: Buffer): Promise<Request> {
  const { method, path, query } = call
  if (!methods.has(method)) throw methodNotAllowed(`The method ${method} is not allowed here.`)
  const headers = new Headers()
  for (const name of ['content-type', 'trpc-accept']) headers.set(name, call.headers.get(name) ?? '')
  const url = `http://localhost${path}${query ? `?${query}` : ''}`
  const signal = disconnected?.() ?? null
  if (method !== 'POST') return new Request(url, { method, headers, signal })
  const body = new Uint8Array(json ?? (await call.body(maxBodyBytes)))
  requireShallow(new TextDecoder().decode(body))
  return new Request(url, { method, headers, signal, body })
}

const largeBodies = new Set(['/api/trpc/code.changeFiles'])

function takesFiles(path: string, method: string): boolean {
  return method === 'POST' && largeBodies.has(path)
}

// A web request cannot have some of the other methods.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Rejects a change if the page was rendered for another user than the one signed in, so that a form filled in
 * by one user is not submitted as the next. Reads without the header are harmless and allowed, because only
 * page scripts send it.
 */
function requireOwnViewer({ headers, method }: Call, caller: Caller): void {
  const renderedFor = headers.get(viewerHeader)
  if (renderedFor !== null || method !== 'GET') requireViewer(caller, renderedFor)
}

/** Returns an error in the format that the tRPC client expects. */
export function errorShape({ kind, message, known }: Explanation): object {
  return { message, code: -32_600, data: { kind, viewer: known?.viewer } }
}
