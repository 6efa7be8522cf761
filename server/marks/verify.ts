import type { Db } from '@/db/client'
import { ConfigError } from '@/server/kernel/config-error'
import { isDomainError } from '@/server/kernel/errors'
import type { Logger } from '@/server/kernel/log'
import { failureOf, isRefusal } from '@/server/kernel/storage/remote'
import type { Location } from './location'
import type { KnownMark } from './store'

/**
 * Checks, without writing, whether a location belongs to the site or can become part of it. Returns false for
 * a bucket or container that cannot be reached at the moment; it is checked again before anything is written
 * there.
 * @throws {ConfigError} if the location belongs to another site or lacks its mark or data; the message names
 * the setting to correct.
 */
export async function verifyLocation(
  db: Db,
  location: Location,
  known: KnownMark | undefined,
  log: Logger,
): Promise<boolean> {
  if (known?.isWritten) return await proveLocation(location, known.mark, log)
  const found = await asking(location, location.readMark())
  if (found !== undefined && found !== known?.mark) throw foreign(location)
  const { looked, missing } = await asking(location, location.findMissing(db))
  if (missing.length > 0) throw incomplete(location, looked, missing)
  return true
}

async function proveLocation(location: Location, mark: string, log: Logger): Promise<boolean> {
  try {
    const found = await location.readMark()
    if (found === mark) return true
    throw found === undefined ? unmarked(location) : foreign(location)
  } catch (error) {
    if (!location.isRemote || !isDomainError(error) || isRefusalOf(error)) throw named(location, error)
    log.warn({ reason: reasonOf(error) }, `cannot check yet whether ${location.name} belongs to this site`)
    return false
  }
}

/**
 * Awaits an operation on a directory or bucket of the site. Converts its failures to errors that name the
 * setting with its location.
 */
export async function asking<T>(location: Location, answer: Promise<T>): Promise<T> {
  return await answer.catch(error => Promise.reject(named(location, error)))
}

// Database failures and programming errors are not converted.
function named({ variable, name }: Location, error: unknown): unknown {
  if (!(error instanceof Error) || !(isDomainError(error) || 'syscall' in error)) return error
  return new ConfigError(`${variable}: cannot use ${name}: ${reasonOf(error)}`, { cause: error })
}

/** Returns whether a bucket or container denied the request, so that repeating it would fail the same way. */
export const isRefusalOf = (error: unknown): boolean =>
  isDomainError(error) && error.cause instanceof Error && isRefusal(failureOf(error.cause))

// The error for callers of a storage leaves out details that operators need.
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isDomainError(error) && error.cause instanceof Error) return reasonOf(error.cause)
  return 'syscall' in error ? error.message : failureOf(error).reason
}

const ifMoved = 'If it was moved on purpose, record its new location: npm run site:adopt'

const unmarked = ({ variable, name, markName }: Location): ConfigError =>
  new ConfigError(
    `${variable}: ${name} does not belong to this site: ${markName} is missing. Mount it, or set the variable to the location of the data. ${ifMoved}`,
  )

const foreign = ({ variable, name, markName }: Location): ConfigError =>
  new ConfigError(
    `${variable}: ${name} does not belong to this site: ${markName} is another site's. Set the variable to the location of this site's data. If the location does belong to this site, for example after restoring an older backup, record it: npm run site:adopt -- --foreign`,
  )

const incomplete = ({ variable, name }: Location, looked: number, missing: readonly string[]): ConfigError =>
  new ConfigError(
    `${variable}: ${name} does not contain this site's data: ${missing.length} of ${looked} checked items are missing, such as ${missing[0]}. ` +
      'Mount it, or set the variable to the location of the data. If the missing data is lost, continue without it: npm run site:adopt -- --incomplete',
  )
