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

/**
 * Returns the procedures for a page that is being rendered on the server, called as the user who requested
 * it.
 */
export async function pageCaller(): Promise<ReturnType<typeof appRouter.createCaller>> {
  const connection = pageExchanges.getStore() ?? { remoteAddress: '', requestId: randomUUID() }
  const { requestId } = connection
  const opened = await processServices()
  try {
    const ctx = await sessionContext(opened, await headers(), connection)
    const onError = ({ error }: { error: Error }) => {
      reportFailure(opened, requestId, error, error.cause)
      // Every procedure fails until the password is changed; redirecting here spares each page from handling
      // it.
      if (isDomainError(error.cause) && error.cause.reason?.code === 'passwordDue') redirect(passwordPage)
    }
    return appRouter.createCaller(ctx, { onError })
  } catch (error) {
    reportFailure(opened, requestId, error, error)
    throw error
  }
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
  if (known?.kind !== 'unavailable') return
  Object.assign(thrown as Error, { digest: unavailableDigest })
  const exchange = pageExchanges.getStore()
  if (exchange) exchange.unavailable = known
}
