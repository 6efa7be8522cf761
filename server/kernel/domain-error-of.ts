import { isUnavailable } from '@/db/unavailable'
import { type DomainError, isDomainError, unavailable } from './errors'
import type { Logger } from './log'

const retryAfterSeconds = 5

/**
 * Returns the domain error that a failure is: one thrown as such, or `unavailable` for a database that cannot be reached,
 * which is logged with the reason. Undefined for a failure nobody foresaw.
 */
export function domainErrorOf(
  error: unknown,
  { log, requestId }: { log: Logger; requestId: string },
): DomainError | undefined {
  if (isDomainError(error)) return error
  if (!isUnavailable(error)) return undefined
  log.warn({ requestId, reason: String(error) }, 'the database cannot be reached')
  const message = 'the database cannot be reached right now; try again in a moment'
  return unavailable(message, { cause: error, retryAfterSeconds })
}
