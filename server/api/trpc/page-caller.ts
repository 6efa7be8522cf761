import { randomUUID } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { passwordPage } from '@/server/auth/acting-account'
import { domainErrorOf } from '@/server/kernel/domain-error-of'
import { isDomainError, unavailableDigest } from '@/server/kernel/errors'
import { pageExchanges } from '@/server/kernel/page-exchange'
import { processServices, type Services } from '@/server/services'
import { appRouter } from '../root'
import { sessionContext } from './handler'

/** Procedures for a page while it is rendered on the server, in the name of the person who asks for it. */
export async function pageCaller(): Promise<ReturnType<typeof appRouter.createCaller>> {
  const connection = pageExchanges.getStore() ?? { remoteAddress: '', requestId: randomUUID() }
  const { requestId } = connection
  const opened = await processServices()
  try {
    const ctx = await sessionContext(opened, await headers(), connection)
    const onError = ({ error }: { error: Error }) => {
      reportFailure(opened, requestId, error, error.cause)
      // Whatever a page asks for is refused until then, so that a page need not think of it.
      if (isDomainError(error.cause) && error.cause.reason?.code === 'passwordDue') redirect(passwordPage)
    }
    return appRouter.createCaller(ctx, { onError })
  } catch (error) {
    reportFailure(opened, requestId, error, error)
    throw error
  }
}

// Our HTTP server sends the status. The browser is told nothing of an error but its digest: of one that nobody foresaw
// the id of the request, by which the log is searched.
function reportFailure({ log }: Services, requestId: string, thrown: unknown, cause: unknown): void {
  const isUnforeseen = !(thrown instanceof TRPCError) || thrown.code === 'INTERNAL_SERVER_ERROR'
  const known = domainErrorOf(cause, { log, requestId })
  if (!known && isUnforeseen) {
    log.error({ err: cause ?? thrown, requestId }, 'unexpected failure of a page')
    Object.assign(thrown as Error, { digest: requestId })
  }
  if (known?.kind !== 'unavailable') return
  Object.assign(thrown as Error, { digest: unavailableDigest })
  const exchange = pageExchanges.getStore()
  if (exchange) exchange.unavailable = known
}
