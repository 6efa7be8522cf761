import { isDomainError } from '@/server/kernel/errors'

/**
 * Returns the message of a failure. If a storage failed, it continues with the cause, such as the path of a file or the
 * response of a bucket, which clients of the site must not see.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!isDomainError(error) || !(error.cause instanceof Error)) return error.message
  const { message, name } = error.cause
  return `${error.message} (${message.split('\n')[0] || name})`
}
