import type pg from 'pg'

/**
 * True if the database could not be reached or went away, rather than refuse a statement. A later attempt may
 * succeed; a change that failed so was made whole or not at all. False for every other connection that fails.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (brand in error) return true
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  return isUnavailable(error.cause)
}

/**
 * Makes a pool brand its failures to reach the database, and those of its connections, so that `isUnavailable` tells them
 * from a failed connection to anything else.
 */
export function brandFailures(pool: pg.Pool): pg.Pool {
  pool.connect = branding(pool.connect.bind(pool))
  pool.query = branding(pool.query.bind(pool))
  return pool.on('connect', client => {
    client.query = branding(client.query.bind(client))
    // Neither the pool nor Kysely listens to a connection in use. When it is lost between two queries of a transaction,
    // the next one fails and tells; without a listener the process would end.
    client.on('error', brandIfUnavailable)
  })
}

// What is given a callback stays as it is: only the pool itself calls so, below a promise that is branded.
function branding<Call extends (...args: never[]) => unknown>(call: Call): Call {
  const branded = (...args: never[]): unknown => {
    const result = call(...args)
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      brandIfUnavailable(error)
      throw error
    })
  }
  return branded as Call
}

// Next bundles its own copy of this module, and errors cross the two graphs.
const brand = Symbol.for('guildhall.database-unavailable')

function brandIfUnavailable(error: unknown): void {
  if (error instanceof Error && causedByConnection(error))
    Object.defineProperty(error, brand, { value: true })
}

function causedByConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(causedByConnection)) return true
  return saysUnavailable(error) || causedByConnection(error.cause)
}

// Judged by shape, which is safe for what a pool threw: the server's refusals carry a state, the system's a code, and the
// client's only words.
function saysUnavailable(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return clientWords.test(error.message)
  return serverStates.test(code) || (systemCodes.has(code) && connectionCalls.has(syscall ?? ''))
}

// Of class 08 a lost connection; 57P01 to 57P05 a server that shuts down, crashed, starts or ended the session; 53300 one
// that has no connection left.
const serverStates = /^(?:08\w{3}|57P0[1-5]|53300)$/

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
const clientWords =
  /^(?:Connection terminated|Client (?:has encountered a connection error|was closed) and is not queryable|timeout (?:expired|exceeded when trying to connect)|Cannot use a pool after calling end)/
