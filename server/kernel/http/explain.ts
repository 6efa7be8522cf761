import { domainErrorOf } from '../domain-error-of'
import { type DomainError, type ErrorKind, errorTable, retryAfter } from '../errors'
import type { Logger } from '../log'

/** A failure in the terms every transport shares. */
export interface Explanation {
  kind: ErrorKind
  /** Of HTTP. */
  status: number
  /** For the person who reads it; holds nothing that is not theirs to know. */
  message: string
  /** The `Retry-After` header where it is known when to come back, otherwise empty. */
  retryAfter: Record<string, string>
  /** The failure itself with its details; absent for one that nobody foresaw. */
  known: DomainError | undefined
}

/** Explains a failure by its kind. One that nobody foresaw is logged whole, once, and shown as an id to quote. */
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

/** Returns what a procedure failed of: tRPC wraps it. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'TRPCError' ? (error.cause ?? error) : error
}
