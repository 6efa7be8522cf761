import { type Unavailability, unavailabilityOf } from '@/db/unavailable'
import { timedOut } from '@/db/violation'
import { type DomainError, isDomainError, unavailable } from './errors'
import { diskRefusal, diskTroubleOf } from './fs/disk-trouble'
import type { Logger } from './log'

/** What a caller is told, and when to come back. */
interface Refusal {
  message: string
  retryAfterSeconds: number
}

const soon = (what: string): Refusal => ({ message: `${what}; try again in a moment`, retryAfterSeconds: 5 })

const refusals: Record<Unavailability, Refusal> = {
  away: soon('the database cannot be reached right now'),
  readOnly: soon('the database accepts no changes right now'),
  full: { message: 'the disk of the database is full', retryAfterSeconds: 60 },
  failing: soon('the database is out of resources right now'),
  outdated: soon('a newer version of this site is taking over'),
}
const tooSlow = soon('the database takes too long right now')

/**
 * Returns the domain error that a failure is: one thrown as such, or `unavailable` for a database or a disk that cannot do
 * what is asked, which is logged with the reason. Undefined for a failure nobody foresaw.
 */
export function domainErrorOf(
  error: unknown,
  { log, requestId }: { log: Logger; requestId: string },
): DomainError | undefined {
  if (isDomainError(error)) return error
  const refusal = refusalOf(error)
  // Without its stack, as while it lasts every request has one; but what takes too long may be our own statement.
  const why = timedOut(error) ? { err: error } : { reason: String(error) }
  if (refusal) log.warn({ requestId, ...why }, refusal.message)
  return refusal
}

/** What a process answers whose database a newer version has changed, so that it may not write anymore. */
export function supersededBy(): DomainError {
  const { message, retryAfterSeconds } = refusals.outdated
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
