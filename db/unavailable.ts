/**
 * True if the database could not be reached or went away, rather than refuse a statement. A later attempt may
 * succeed; a change that failed so was made whole or not at all.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  if (saysUnavailable(error)) return true
  return isUnavailable(error.cause)
}

// By shape, as for violations: the server's own refusals carry a state, the system's a code, the client's only words.
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
