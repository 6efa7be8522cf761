import type pg from 'pg'

/** Why a database is unavailable, regardless of the statement and the caller. */
export type Unavailability =
  /** The server cannot be reached, was stopped, or does not respond. */
  | 'away'
  /** It accepts no changes, like a former primary server after a failover. */
  | 'readOnly'
  /** This process was told to make no changes. */
  | 'maintenance'
  /** Its disk is full. */
  | 'full'
  /** It has run out of memory or file handles, or its disk fails. */
  | 'failing'
  /** A newer program has migrated its tables, so it accepts no changes from this program. */
  | 'outdated'

/**
 * Returns why the database was unavailable when this error occurred; undefined for a statement that it
 * rejected and for failures of anything else. A later attempt can succeed. A change that failed this way was
 * committed either completely or not at all.
 */
export function unavailabilityOf(error: unknown): Unavailability | undefined {
  if (!(error instanceof Error)) return undefined
  if (brand in error) return error[brand] as Unavailability
  const [first] =
    error instanceof AggregateError ? error.errors.flatMap(each => unavailabilityOf(each) ?? []) : []
  return first ?? unavailabilityOf(error.cause)
}

/** Returns true if the database was unavailable, rather than that it rejected a statement. */
export const isUnavailable = (error: unknown): boolean => unavailabilityOf(error) !== undefined

/** Creates the error for a statement that is not sent because the database is known to be unavailable. */
export function unavailableDatabase(why: Unavailability, message: string): Error {
  return Object.defineProperty(new Error(message), brand, { value: why })
}

/** Pools whose sessions reject changes because this process was told to make none. */
export const refusePools = new WeakSet<pg.Pool>()

/**
 * Makes a pool mark errors that mean that the database is unavailable, including connection errors, so that
 * `unavailabilityOf` can distinguish them from all other errors. Calls `note` with the reason of each.
 */
export function brandFailures(pool: pg.Pool, note: (why: Unavailability) => void = () => {}): pg.Pool {
  const noteOf = (error: unknown): void => {
    const found = causeIn(error)
    if (!found) return
    const why = found === 'readOnly' && refusePools.has(pool) ? 'maintenance' : found
    brandAs(error, why)
    note(why)
  }
  // If the pool cannot provide a connection, no caller can use the database.
  pool.connect = branding(pool.connect.bind(pool), error => brandAs(error, causeIn(error) ?? 'away'))
  // The pool's own `query` passes callbacks to the client, so its errors would not be marked.
  pool.query = (async (...args: Parameters<pg.Pool['query']>) => {
    const client = await pool.connect()
    try {
      return await client.query(...args)
    } finally {
      client.release()
    }
  }) as unknown as pg.Pool['query']
  return pool.on('connect', client => {
    client.query = branding(client.query.bind(client), noteOf)
    // Neither the pool nor Kysely listens for errors of a connection in use. If it is lost between two
    // queries of a transaction, the next query fails with the error; without this listener, the process would
    // crash.
    client.on('error', noteLost)
  })
}

// Calls with a callback are not changed: only the pool itself makes them, within a promise that is marked.
function branding<Call extends (...args: never[]) => unknown>(
  call: Call,
  failed: (error: unknown) => void,
): Call {
  const branded = (...args: never[]): unknown => {
    const result = call(...args)
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      failed(error)
      throw error
    })
  }
  return branded as Call
}

// A registered symbol, because Next bundles its own copy of this module and errors pass between both copies.
const brand: unique symbol = Symbol.for('guildhall.database-unavailable')

function noteLost(error: unknown): void {
  const why = causeIn(error)
  if (why) brandAs(error, why)
}

function brandAs(error: unknown, why: Unavailability): void {
  if (error instanceof Error && !(brand in error)) {
    Object.defineProperty(error, brand, { value: why })
  }
}

function causeIn(error: unknown): Unavailability | undefined {
  if (!(error instanceof Error)) return undefined
  const [first] = error instanceof AggregateError ? error.errors.flatMap(each => causeIn(each) ?? []) : []
  return first ?? reportedBy(error) ?? causeIn(error.cause)
}

// Judged by properties, not by class. This is safe for errors thrown by a pool: errors of the server have an
// SQLSTATE, system errors a code, and errors of the client only a message.
function reportedBy(error: Error): Unavailability | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return clientMessages.test(error.message) ? 'away' : undefined
  if (systemCodes.has(code)) return connectionCalls.has(syscall ?? '') ? 'away' : undefined
  return causeInState(code, error.message)
}

/**
 * Returns why a database that reported this SQLSTATE and message is unavailable; undefined if it only
 * rejected a statement.
 */
export function causeInState(state: string, message: string): Unavailability | undefined {
  const known = serverStates.find(([states]) => states.test(state))?.[1]
  return known ?? systemMessages.find(([states, pattern]) => states.test(state) && pattern.test(message))?.[2]
}

const serverStates: [RegExp, Unavailability][] = [
  // Class 08: the connection was lost. 57P01 to 57P05: the server is shutting down, crashed, is starting, or
  // ended the session. 25P03: it ended an idle transaction. 53300: it has no connections left.
  [/^(?:08\w{3}|57P0[1-5]|25P03|53300)$/, 'away'],
  [/^25006$/, 'readOnly'],
  [/^53100$/, 'full'],
  // Class 53: a resource ran out. 58000 and 58030: a system or disk error.
  [/^(?:53\w{3}|58000|58030)$/, 'failing'],
  // Raised by the trigger in migration `0027-oldest-writer`.
  [/^GHOLD$/, 'outdated'],
]

// Errors of the operating system for which the server has no SQLSTATE, recognized by their English messages.
// If `lc_messages` of the server is another language, they count as rejected statements.
const systemMessages: [RegExp, RegExp, Unavailability][] = [
  [/^XX000$/, /^could not .*: (?:disk )?quota exceeded$/i, 'full'],
  [/^42501$/, /^could not .*: read-only file system$/i, 'failing'],
]

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The socket file of a server on this host is missing.
  'ENOENT',
])
const connectionCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])

// Messages of `pg` and its pool for a connection that is lost or that was not returned in time.
const clientMessages =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed) and is not queryable|timeout (?:expired|exceeded when trying to connect)|Cannot use a pool after calling end)/
