import type { Generated } from 'kysely'

/** A push whose events are written, so that one found again after a crash is not recorded twice. */
export interface RecordedPushesTable {
  key: string
  created_at: Generated<Date>
}
