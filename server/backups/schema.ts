import { z } from 'zod'
import { LastRun } from '@/server/kernel/last-run'
import { wireTimeSchema } from '@/server/kernel/wire'

/** Name of the background job that makes scheduled backups. */
export const backupJobName = 'backups.run'

/** State of the site's backups, for administrators. */
export const BackupStatus = z.object({
  /** Null if no backups are scheduled. */
  schedule: z.object({ to: z.string(), every_ms: z.number(), keep: z.int() }).nullable(),
  /** When the backup that is running has started. */
  running: wireTimeSchema.nullable(),
  /** The last complete backup, with its size and the size of what was new in it, in bytes. */
  complete: z.object({ started: wireTimeSchema, size: z.number(), copied: z.number() }).nullable(),
  /** The last backup that has ended. */
  last: LastRun.nullable(),
})
export type BackupStatus = z.output<typeof BackupStatus>
