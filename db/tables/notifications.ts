import type { Generated } from 'kysely'

/** Something that needs a person. */
export interface NotificationsTable {
  id: Generated<number>
  account_id: number
  kind: string
  /** ID of what it is about, whose table follows from the kind. It may have been deleted. */
  subject_id: number
  /** Newest event that it is about; null if time passed and nothing else happened. */
  event_id: number | null
  created_at: Generated<Date>
  read_at: Date | null
}
