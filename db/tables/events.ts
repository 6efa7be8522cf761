import type { Generated, GeneratedAlways } from 'kysely'

/** What happened, written in the transaction that made it happen. */
export interface EventsTable {
  id: Generated<number>
  kind: string
  actor_id: number | null
  /** The account the event concerns, whose owner may read it. */
  owner_id: number | null
  /** The repository it happened in; such events make up the activity feeds. */
  repository_id: number | null
  /** Do feeds tell of it? Computed by the database. */
  in_feed: GeneratedAlways<boolean>
  /** Plain facts to show: names, ids, fingerprints; never a secret. Stored as jsonb. */
  data: Generated<string>
  remote_address: Generated<string>
  request_id: Generated<string>
  created_at: Generated<Date>
}
