import type { Generated } from 'kysely'
import type { JobOutcome } from './job-runs'

/** A backup of the site that is running or has ended. At most one is running. */
export interface BackupsTable {
  id: Generated<number>
  started_at: Generated<Date>
  /** Until when nothing is deleted, unless the backup extends it. A backup beyond that was killed. */
  held_until: Date
  ended_at: Date | null
  outcome: JobOutcome | null
  /** Size in bytes of everything that the backup consists of; null unless it was completed. */
  size_bytes: number | null
  /** Number of bytes that earlier backups in the same place did not have; null unless it was completed. */
  copied_bytes: number | null
  /** What the backup contains or why it failed, in one line without secrets. */
  message: Generated<string>
}
