import { unavailable } from '../errors'
import type { Logger } from '../log'

/** A failed request to a bucket or container, the same for both client libraries. */
export interface RemoteFailure {
  /** The HTTP status; 0 without a response. */
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
  // Azure's messages continue with request ids and times.
  const [firstLine] = message.split('\n')
  return { status: $metadata?.httpStatusCode ?? statusCode ?? 0, reason: `${code ?? name}: ${firstLine}` }
}

// A request that took too long, and one too many.
const passing = new Set([408, 429])

// S3 sends these codes with status 400, although a later request may succeed: a slow upload, credentials to renew.
const transientMessages = /^(?:RequestTimeout|ExpiredToken|TokenRefreshRequired)\b/

/** Whether the storage answered that it never will; anything else may pass. */
export const isRefusal = ({ status, reason }: RemoteFailure): boolean =>
  status >= 300 && status < 500 && !passing.has(status) && !transientMessages.test(reason)

/** For `.catch` of a request: returns undefined if the object does not exist and rethrows any other error. */
export function undefinedIfMissing(error: unknown): undefined {
  if (failureOf(error).status !== 404) throw error
}

/** Error codes of a full storage, for which servers use different statuses. */
const fullMessages = /^(?:XMinioStorageFull|QuotaExceeded|InsufficientStorage)\b/

/**
 * Returns a wrapper for requests that logs failures and turns them into errors that clients may see. Aborts are
 * rethrown. The log never contains credentials.
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
