import type { ColumnType, Generated } from 'kysely'

/** An event, recorded in the transaction of the change that it describes. */
export interface EventsTable {
  id: Generated<number>
  kind: string
  actor_id: number | null
  /** Account that the event concerns; its owner can read the event. */
  owner_id: number | null
  /** Repository in which the event occurred; also null after the repository is deleted. */
  repository_id: number | null
  /** Whether activity feeds include the event; a trigger sets it for processes of older versions. */
  in_feed: boolean
  /**
   * Facts to display, such as names, IDs and fingerprints; never a secret. Written as the text of a JSON
   * object.
   */
  data: ColumnType<object, string | undefined, string>
  remote_address: Generated<string>
  request_id: Generated<string>
  created_at: Generated<Date>
}

/** An event that a consumer has not processed yet. */
export interface EventOutboxTable {
  consumer: string
  event_id: number
  /** Set while a process handles the event: when its lease ends. */
  leased_until: Generated<Date | null>
  /** Number of times that a process has started to handle the event. */
  leases: Generated<number>
}
