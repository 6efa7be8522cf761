import { unavailable } from '../../errors'
import type { Logger } from '../../log'
import type { Disk } from './write-file'

/**
 * Returns the wrapper of calls on the disk: what the system refuses is logged, and becomes an error that callers may be
 * told of. Errors of anything else, such as the source of what is written, never go through it.
 */
export function askingDisk(log: Logger): Disk['asking'] {
  return call =>
    call.catch((error: unknown) => {
      if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
      const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT'
      const message = isFull ? 'the storage is full' : 'the storage cannot be reached right now'
      log.error({ reason: error.message }, message)
      throw unavailable(message, { cause: error, retryAfterSeconds: isFull ? 60 : 5 })
    })
}
