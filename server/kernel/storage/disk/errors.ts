import { diskRefusal, diskTroubleOf } from '../../fs/disk-trouble'
import type { Logger } from '../../log'
import type { Disk } from './write-file'

/**
 * Returns a wrapper for file system calls that logs errors and turns them into errors for clients. Errors from
 * other operations, such as reading the source of the bytes, must not pass through it.
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
