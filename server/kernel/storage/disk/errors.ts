import { diskRefusal, diskTroubleOf } from '../../fs/disk-trouble'
import type { Logger } from '../../log'
import type { Disk } from './write-file'

/**
 * Returns a wrapper for file system calls that logs system errors and converts them to `unavailable` errors
 * for clients. Other operations, such as reading the data to be stored, must not be passed to the wrapper.
 */
export function askingDisk(log: Logger): Disk['asking'] {
  return call =>
    call.catch((error: unknown) => {
      if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
      const refusal = diskRefusal(diskTroubleOf(error) ?? 'failing', error)
      log.error({ reason: error.message }, refusal.message)
      throw refusal
    })
}
