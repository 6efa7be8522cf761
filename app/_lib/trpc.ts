import type { OperationContext, TRPCClient, TRPCClientError, TRPCLink } from '@trpc/client'
import { httpLink } from '@trpc/client/links/httpLink'
import { observableToPromise } from '@trpc/server/observable'
import type { AppRouter } from '@/server/api/root'
import { viewerHeader, viewerName } from '@/server/auth/page-viewer'
import { noteViewerChange, renderedFor } from './viewer'

export type { AppRouter }

interface CallOptions {
  /** With `fetch`, sends the call with this function. */
  context?: OperationContext & { fetch?: typeof fetch }
  signal?: AbortSignal
}

const types = { query: 'query', mutate: 'mutation' } as const

// Sends all calls of the browser. The browser adds the session cookie. The header contains the viewer for
// whom the page was rendered, so that the server can refuse calls in another person's session. Always POST,
// so that no input is in a URL.
const sender = (own?: typeof fetch): ReturnType<TRPCLink<AppRouter>> =>
  httpLink<AppRouter>({
    url: '/api/trpc',
    methodOverride: 'POST',
    headers: ({ op }) => ({ [viewerHeader]: op.context.byNobody ? viewerName(undefined) : renderedFor() }),
    ...(own && { fetch: own }),
  })({})

const send = sender()

let lastId = 0

async function call(path: readonly string[], input: unknown, options: CallOptions = {}): Promise<unknown> {
  const type = types[path.at(-1) as keyof typeof types]
  const { context = {}, signal = null } = options
  const askedAt = performance.now()
  const op = { id: ++lastId, type, path: path.slice(0, -1).join('.'), input, context, signal }
  try {
    const { result } = await observableToPromise(
      (context.fetch ? sender(context.fetch) : send)({ op, next: unreachable }),
    )
    return 'data' in result ? result.data : undefined
  } catch (error) {
    // Reports the refusal to the whole page, whichever part of it made the call.
    if (isCallError(error) && error.data?.kind === 'viewerChanged')
      noteViewerChange(error.data.viewer ?? null, type, askedAt)
    throw error
  }
}

const unreachable = (): never => {
  throw new Error('the sending link must be the last one')
}

const procedureAt = (path: readonly string[]): unknown =>
  new Proxy(() => undefined, {
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? procedureAt([...path, name]) : undefined,
    apply: (_, __, [input, options]: [unknown, CallOptions?]) => call(path, input, options),
  })

/**
 * Calls procedures of the server. It is a tRPC client without features that pages don't need initially, such
 * as subscriptions, which the full client would add to every page.
 */
export const trpc = procedureAt([]) as TRPCClient<AppRouter>

/** Whether a procedure call failed with this error. */
export const isCallError = (error: unknown): error is TRPCClientError<AppRouter> =>
  error instanceof Error && error.name === 'TRPCClientError'

/** Options of the call that signs someone in on a page whose session has ended. */
export const byNobody = { context: { byNobody: true } }
