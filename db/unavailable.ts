import type pg from 'pg'

/** Why a database cannot do what it is asked, whoever asks and whatever it is. */
export type Unavailability =
  /** It cannot be reached, went away, or does not answer. */
  | 'away'
  /** It accepts no changes, like a server that another one has taken over from. */
  | 'readOnly'
  /** Its disk is full. */
  | 'full'
  /** It is short of memory or files, or its disk fails. */
  | 'failing'
  /** A newer program has changed its tables, and takes no changes from this one. */
  | 'outdated'

/**
 * Why the database could not do what failed with this; undefined for a statement that it refused, and for every failure of
 * anything else. A later attempt may succeed; a change that failed so was made whole or not at all.
 */
export function unavailabilityOf(error: unknown): Unavailability | undefined {
  if (!(error instanceof Error)) return undefined
  if (brand in error) return error[brand] as Unavailability
  const [first] =
    error instanceof AggregateError ? error.errors.flatMap(each => unavailabilityOf(each) ?? []) : []
  return first ?? unavailabilityOf(error.cause)
}

/** True if the database could not do it, rather than refuse a statement. */
export const isUnavailable = (error: unknown): boolean => unavailabilityOf(error) !== undefined

/** Makes the failure of a database that is not asked because this is known of it. */
export function unavailableDatabase(why: Unavailability, message: string): Error {
  return Object.defineProperty(new Error(message), brand, { value: why })
}

/**
 * Makes a pool brand the failures that are not of a statement but of its database, and those of its connections, so that
 * `unavailabilityOf` tells them from a failure of anything else. `note` is called with each.
 */
export function brandFailures(pool: pg.Pool, note: (why: Unavailability) => void = () => {}): pg.Pool {
  const noteOf = (error: unknown): void => {
    const why = brandIfUnavailable(error)
    if (why) note(why)
  }
  // Whatever keeps it from giving a connection keeps everybody from the database.
  pool.connect = branding(pool.connect.bind(pool), error => brandAs(error, 'away'))
  // By way of a connection like all others, where the pool's own would not be.
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
    // Neither the pool nor Kysely listens to a connection in use. When it is lost between two queries of a transaction,
    // the next one fails and tells; without a listener the process would end.
    client.on('error', brandIfUnavailable)
  })
}

// What is given a callback stays as it is: only the pool itself calls so, below a promise that is branded.
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

// Next bundles its own copy of this module, and errors cross the two graphs.
const brand: unique symbol = Symbol.for('guildhall.database-unavailable')

function brandIfUnavailable(error: unknown): Unavailability | undefined {
  const why = causeIn(error)
  if (why) brandAs(error, why)
  return why
}

function brandAs(error: unknown, why: Unavailability): void {
  if (error instanceof Error && !(brand in error)) {
    Object.defineProperty(error, brand, { value: causeIn(error) ?? why })
  }
}

function causeIn(error: unknown): Unavailability | undefined {
  if (!(error instanceof Error)) return undefined
  const [first] = error instanceof AggregateError ? error.errors.flatMap(each => causeIn(each) ?? []) : []
  return first ?? reportedBy(error) ?? causeIn(error.cause)
}

// Judged by shape, which is safe for what a pool threw: the server's refusals carry a state, the system's a code, and the
// client's only words.
function reportedBy(error: Error): Unavailability | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return clientMessages.test(error.message) ? 'away' : undefined
  if (systemCodes.has(code)) return connectionCalls.has(syscall ?? '') ? 'away' : undefined
  return causeInState(code, error.message)
}

/** Why the database could not do what it refused with this state and message; undefined for a statement that it refused. */
export function causeInState(state: string, message: string): Unavailability | undefined {
  const known = serverStates.find(([states]) => states.test(state))?.[1]
  return known ?? systemMessages.find(([states, pattern]) => states.test(state) && pattern.test(message))?.[2]
}

const serverStates: [RegExp, Unavailability][] = [
  // Of class 08 a lost connection; 57P01 to 57P05 a server that shuts down, crashed, starts or ended the session, and 25P03
  // one that ended a transaction; 53300 one that has no connection left.
  [/^(?:08\w{3}|57P0[1-5]|25P03|53300)$/, 'away'],
  [/^25006$/, 'readOnly'],
  [/^53100$/, 'full'],
  // Class 53 is what runs out; 58000 and 58030 are failures of its system and its disk.
  [/^(?:53\w{3}|58000|58030)$/, 'failing'],
  // Ours: see `0027-oldest-writer`.
  [/^GHOLD$/, 'outdated'],
]

// What the system refused the server and the server has no state of its own for, in the words of the system. They are English:
// of a server with `lc_messages` of another language, these pass for refused statements and are not told as unavailable.
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
  // The socket file of a server on this machine.
  'ENOENT',
])
const connectionCalls = new Set(['connect', 'read', 'write', 'getaddrinfo'])

// What the client and its pool say of a connection that is lost, or that nobody gave back in time.
const clientMessages =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed) and is not queryable|timeout (?:expired|exceeded when trying to connect)|Cannot use a pool after calling end)/
