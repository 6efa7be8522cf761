import { unavailable } from '../errors'
import type { Logger } from '../log'

/** A failed request to an S3 bucket or Azure container, in a form common to both client libraries. */
export interface RemoteFailure {
  /** HTTP status; 0 without a response. */
  status: number
  reason: string
}

interface LibraryError extends Error {
  $metadata?: { httpStatusCode?: number }
  statusCode?: number
  code?: string
}

export function failureOf(error: unknown): RemoteFailure {
  const { $metadata, statusCode, code, name, message } = error as LibraryError
  // Azure's messages continue with request IDs and times.
  const [firstLine] = message.split('\n')
  return { status: $metadata?.httpStatusCode ?? statusCode ?? 0, reason: `${code ?? name}: ${firstLine}` }
}

// Timeouts and rate limits.
const passing = new Set([408, 429])

// S3 sends these codes with status 400, although a later request can succeed: after a slow upload or with
// renewed credentials.
const transientMessages = /^(?:RequestTimeout|ExpiredToken|TokenRefreshRequired)\b/

/**
 * Returns whether the S3 or Azure server refused a request permanently. Any other failure may be temporary.
 */
export const isRefusal = ({ status, reason }: RemoteFailure): boolean =>
  status >= 300 && status < 500 && !passing.has(status) && !transientMessages.test(reason)

/**
 * Handles the error of a request to S3 or Azure in `.catch`: returns undefined if the object does not exist
 * and rethrows any other error.
 */
export function undefinedIfMissing(error: unknown): undefined {
  if (failureOf(error).status !== 404) throw error
}

/** Error codes of a full storage, for which servers use different status codes. */
const fullMessages = /^(?:XMinioStorageFull|QuotaExceeded|InsufficientStorage)\b/

/**
 * Returns a wrapper for requests to S3 or Azure that logs failures and converts them to `unavailable` errors
 * for clients. Abort errors are rethrown. The log never contains credentials.
 */
export function askingRemote(log: Logger): <T>(request: Promise<T>) => Promise<T> {
  return request =>
    request.catch((error: unknown) => {
      if (error instanceof Error && error.name === 'AbortError') throw error
      const { status, reason } = failureOf(error)
      const isFull = status === 507 || fullMessages.test(reason)
      const message = isFull ? 'the storage is full' : 'the storage cannot be reached right now'
      log.error({ status, reason }, message)
      throw unavailable(message, { cause: error, retryAfterSeconds: isFull ? 60 : 5 })
    })
}
