import type { Generated } from 'kysely'

export interface UserBlocksTable {
  blocker_id: number
  blocked_id: number
  note: Generated<string>
  created_at: Generated<Date>
}
