import { domainErrorOf } from '../domain-error-of'
import { type DomainError, type ErrorKind, errorTable, retryAfter } from '../errors'
import type { Logger } from '../log'

/** Protocol-independent description of an error for the caller, used by all API transports. */
export interface Explanation {
  kind: ErrorKind
  /** HTTP status code. */
  status: number
  /** Message for the caller; contains nothing that the caller must not see. */
  message: string
  /** The `Retry-After` header if the time of the retry is known; otherwise empty. */
  retryAfter: Record<string, string>
  /** The domain error with its details; undefined for an unexpected failure. */
  known: DomainError | undefined
}

/**
 * Describes an error for the caller by its kind. An unexpected error is logged in full, once, and the caller
 * receives only the request ID.
 */
export function explainError(
  error: unknown,
  { log, requestId }: { log: Logger; requestId: string },
): Explanation {
  const cause = causeOf(error)
  const known = domainErrorOf(cause, { log, requestId })
  if (known) {
    const { kind, message } = known
    return { kind, status: errorTable[kind].status, message, retryAfter: retryAfter(known), known }
  }
  log.error({ err: cause, requestId }, 'unexpected failure')
  const message = `internal error (request ${requestId})`
  return { kind: 'internal', status: errorTable.internal.status, message, retryAfter: {}, known }
}

/**
 * Returns the original error of a tRPC procedure from the `TRPCError` that wraps it; other errors are
 * returned unchanged.
 */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'TRPCError' ? (error.cause ?? error) : error
}
