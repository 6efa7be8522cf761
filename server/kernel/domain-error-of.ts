import { type Unavailability, unavailabilityOf } from '@/db/unavailable'
import { timedOut } from '@/db/violation'
import { type DomainError, isDomainError, unavailable } from './errors'
import { diskRefusal, diskTroubleOf } from './fs/disk-trouble'
import type { Logger } from './log'

/** Message for the caller and the number of seconds after which to retry. */
interface Refusal {
  message: string
  retryAfterSeconds: number
}

const soon = (what: string): Refusal => ({ message: `${what}; try again in a moment`, retryAfterSeconds: 5 })

const refusals: Record<Unavailability, Refusal> = {
  away: soon('the database cannot be reached right now'),
  readOnly: soon('the database is not accepting changes right now'),
  maintenance: { message: 'the site is read-only during maintenance', retryAfterSeconds: 60 },
  full: { message: 'the database disk is full', retryAfterSeconds: 60 },
  failing: soon('the database is out of resources right now'),
  outdated: soon('a newer version of this site is taking over'),
}
const tooSlow = soon('the database is taking too long to respond')

/**
 * Returns the domain error for a failure: the error itself if it is one, or `unavailable` if the database or a
 * disk could not do the work, which is logged with the reason. Undefined for unexpected failures.
 */
export function domainErrorOf(
  error: unknown,
  { log, requestId }: { log: Logger; requestId: string },
): DomainError | undefined {
  if (isDomainError(error)) return error
  const refusal = refusalOf(error)
  // Logged without the stack, because every request fails the same way during an outage. A timeout is logged
  // with it, because our own statement may be slow.
  const why = timedOut(error) ? { err: error } : { reason: String(error) }
  if (refusal) log.warn({ requestId, ...why }, refusal.message)
  return refusal
}

/**
 * Returns the error for requests to a process that can no longer write because a newer version has migrated
 * the database.
 */
export const supersededBy = (): DomainError => refused('outdated')

/** Returns the error for changes to a site that is read-only during maintenance. */
export const readOnlySite = (): DomainError => refused('maintenance')

function refused(why: Unavailability): DomainError {
  const { message, retryAfterSeconds } = refusals[why]
  return unavailable(message, { retryAfterSeconds })
}

function refusalOf(error: unknown): DomainError | undefined {
  const why = unavailabilityOf(error)
  const ofDatabase = why ? refusals[why] : timedOut(error) && tooSlow
  if (ofDatabase) {
    const { message, retryAfterSeconds } = ofDatabase
    return unavailable(message, { cause: error, retryAfterSeconds })
  }
  const trouble = diskTroubleOf(error)
  return trouble && diskRefusal(trouble, error)
}
