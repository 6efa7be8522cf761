import type { Generated } from 'kysely'

/** A push whose events have been recorded, so that recovery after a crash does not record them again. */
export interface RecordedPushesTable {
  key: string
  created_at: Generated<Date>
}
