import { TRPCError } from '@trpc/server'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import {
  busyDigest,
  type ErrorKind,
  isDomainError,
  unavailableDigest,
  unreadableDigest,
} from '@/server/kernel/errors'
import type { HeaderReader } from '@/server/kernel/http/call'
import { type PageExchange, type ProcedureCalls, pageExchanges } from '@/server/kernel/page-exchange'
import { processServices, type Services } from '@/server/services'
import { appRouter } from '../root'
import { sessionContext } from './handler'

export type PageProcedures = ReturnType<typeof appRouter.createCaller>

/**
 * Returns the procedures, called as the user whose session cookie is in these headers. `passwordDue` is called
 * if a procedure fails because the user must change their password first.
 */
export async function openPageProcedures(
  headers: HeaderReader,
  connection: PageExchange,
  passwordDue: () => void,
): Promise<PageProcedures> {
  const { requestId } = connection
  const opened = await processServices()
  try {
    const { pageReads = new Map() } = connection
    const ctx = { ...(await sessionContext(opened, headers, connection)), pageReads }
    const onError = ({ error }: { error: Error }) => {
      reportFailure(opened, requestId, error, error.cause)
      if (isDomainError(error.cause) && error.cause.reason?.code === 'passwordDue') passwordDue()
    }
    const procedures = appRouter.createCaller(ctx, { onError })
    return callingThrough(connection.calls ?? directly, procedures) as PageProcedures
  } catch (error) {
    reportFailure(opened, requestId, error, error)
    throw error
  }
}

/**
 * Returns the procedure at a path such as `keys.browse`. A page only reads, so all of them are queries.
 * @throws {Error} for the path of another one.
 */
export function procedureAt(procedures: PageProcedures, path: string): (input: unknown) => Promise<unknown> {
  // The library's type says that it is a tree, but it has all procedures by path.
  const known = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>
  if (known[path]?._def.type !== 'query') throw new Error(`a page cannot call ${path}`)
  const found = path
    .split('.')
    .reduce((at: unknown, name) => (at as Record<string, unknown>)[name], procedures)
  return found as (input: unknown) => Promise<unknown>
}

const directly: ProcedureCalls = { query: async (_path, _input, call) => await call() }

function callingThrough(calls: ProcedureCalls, procedures: PageProcedures, path = ''): unknown {
  return new Proxy(() => undefined, {
    // Whoever awaits the procedures gets them, because they are no promise.
    get: (_, name) =>
      typeof name === 'string' && name !== 'then'
        ? callingThrough(calls, procedures, path ? `${path}.${name}` : name)
        : undefined,
    apply: async (_, __, [input]: unknown[]) =>
      await calls.query(path, input, () => procedureAt(procedures, path)(input)),
  })
}

// Our HTTP server sends the status. The browser gets only the digest of an error. For an unexpected error
// this is the request ID, with which the log can be searched.
function reportFailure({ log }: Services, requestId: string, thrown: unknown, cause: unknown): void {
  const isUnforeseen = !(thrown instanceof TRPCError) || thrown.code === 'INTERNAL_SERVER_ERROR'
  const known = domainErrorOf(cause, { log, requestId })
  if (!known && isUnforeseen) {
    log.error({ err: cause ?? thrown, requestId }, 'unexpected failure while rendering a page')
    Object.assign(thrown as Error, { digest: requestId })
  }
  const digest = known && digests[known.kind]
  if (!digest) return
  Object.assign(thrown as Error, { digest })
  const exchange = pageExchanges.getStore()
  if (exchange) exchange.unavailable = known
}

const digests: Partial<Record<ErrorKind, string>> = {
  unavailable: unavailableDigest,
  tooManyRequests: busyDigest,
  unprocessable: unreadableDigest,
}
