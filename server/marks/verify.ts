import type { Db } from '@/db/client'
import { ConfigError } from '@/server/kernel/config-error'
import { isDomainError } from '@/server/kernel/errors'
import type { Logger } from '@/server/kernel/log'
import { failureOf, isRefusal } from '@/server/kernel/storage/remote'
import type { Location } from './location'
import type { KnownMark } from './store'

/**
 * Checks whether a location is that of the site, or may become it, and writes nothing. False for a bucket or container that cannot
 * be asked right now: whoever wants to write there proves it then.
 * @throws {ConfigError} that names the setting which leads elsewhere.
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
    log.warn({ reason: reasonOf(error) }, `cannot tell yet whether ${location.name} is that of this site`)
    return false
  }
}

/** Gives what a location answers; what it fails of names the setting that leads there. */
export async function asking<T>(location: Location, answer: Promise<T>): Promise<T> {
  return await answer.catch(error => Promise.reject(named(location, error)))
}

// What the database failed of, and what is a fault of ours, stays as it is.
function named({ variable, name }: Location, error: unknown): unknown {
  if (!(error instanceof Error) || !(isDomainError(error) || 'syscall' in error)) return error
  return new ConfigError(`${variable}: cannot use ${name}: ${reasonOf(error)}`, { cause: error })
}

/** Whether a location failed of what a bucket or container answered, and will answer again. */
export const isRefusalOf = (error: unknown): boolean =>
  isDomainError(error) && error.cause instanceof Error && isRefusal(failureOf(error.cause))

// What callers of a storage are told does not say what operators must know.
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (isDomainError(error) && error.cause instanceof Error) return reasonOf(error.cause)
  return 'syscall' in error ? error.message : failureOf(error).reason
}

const ifMoved = 'If it was moved on purpose, record where it is now: npm run site:adopt'

const unmarked = ({ variable, name, markName }: Location): ConfigError =>
  new ConfigError(
    `${variable}: ${name} is not that of this site, as ${markName} is missing. Mount it, or set the variable to where the data is. ${ifMoved}`,
  )

const foreign = ({ variable, name, markName }: Location): ConfigError =>
  new ConfigError(
    `${variable}: ${name} is not that of this site: ${markName} is another one's. Set the variable to where the data of this site is. If it is this site's all the same, as after restoring an older backup, record it: npm run site:adopt -- --foreign`,
  )

const incomplete = ({ variable, name }: Location, looked: number, missing: readonly string[]): ConfigError =>
  new ConfigError(
    `${variable}: ${name} does not hold the data of this site: of ${looked} that were looked for, ${missing.length} are not there, such as ${missing[0]}. ` +
      'Mount it, or set the variable to where the data is. If the rest is lost, go on without: npm run site:adopt -- --incomplete',
  )
