import { unavailable } from '../errors'
import type { Logger } from '../log'

/** What went wrong at a bucket or container, in the words of either library. */
export interface RemoteFailure {
  /** Of the answer; 0 where there was none. */
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
  // Azure's goes on with ids and times.
  const [firstLine] = message.split('\n')
  return { status: $metadata?.httpStatusCode ?? statusCode ?? 0, reason: `${code ?? name}: ${firstLine}` }
}

/** For `.catch` of a request: undefined when there is nothing under the name. Any other error is thrown on. */
export function undefinedIfMissing(error: unknown): undefined {
  if (failureOf(error).status !== 404) throw error
}

/** What a service says when it has no room, by name and not by status. */
const fullWords = /^(?:XMinioStorageFull|QuotaExceeded|InsufficientStorage)\b/

/**
 * Returns the wrapper of requests to a bucket or container: a failure is logged, and becomes an error that callers may be told
 * of. One that was aborted is thrown on. What is logged holds no credentials.
 */
export function askingRemote(log: Logger): <T>(request: Promise<T>) => Promise<T> {
  return request =>
    request.catch((error: unknown) => {
      if (error instanceof Error && error.name === 'AbortError') throw error
      const { status, reason } = failureOf(error)
      const isFull = status === 507 || fullWords.test(reason)
      const message = isFull ? 'the storage is full' : 'the storage cannot be reached right now'
      log.error({ status, reason }, message)
      throw unavailable(message, { cause: error, retryAfterSeconds: isFull ? 60 : 5 })
    })
}
