import type { ColumnType, Generated } from 'kysely'

/** What happened, written in the transaction that made it happen. */
export interface EventsTable {
  id: Generated<number>
  kind: string
  actor_id: number | null
  /** The account the event concerns, whose owner may read it. */
  owner_id: number | null
  /** The repository it happened in; null also once that is deleted. */
  repository_id: number | null
  /** Whether activity feeds include it; a trigger fills it in for processes of earlier versions. */
  in_feed: boolean
  /** Plain facts to show: names, ids, fingerprints; never a secret. Written as the text of a JSON object. */
  data: ColumnType<object, string | undefined, string>
  remote_address: Generated<string>
  request_id: Generated<string>
  created_at: Generated<Date>
}

/** An event that a consumer has not handled yet. */
export interface EventOutboxTable {
  consumer: string
  event_id: number
  /** While a process handles it. */
  leased_until: Generated<Date | null>
  /** How often a process began to handle it. */
  leases: Generated<number>
}
