import type { ColumnType, Generated } from 'kysely'

export type HookScope = 'repository' | 'owner' | 'system' | 'default'

/**
 * A webhook: where events are sent, and which ones. Columns that end in `_sealed` are decrypted with
 * `kernel/seal`.
 */
export interface HooksTable {
  id: Generated<number>
  scope: HookScope
  owner_id: number | null
  repository_id: number | null
  type: string
  name: Generated<string>
  url_sealed: Buffer
  /** Host and port of the URL. */
  target: string
  content_type: 'json' | 'form'
  /**
   * What the webhook type needs in addition to the URL, such as a channel. Written as the text of a JSON
   * object.
   */
  options: ColumnType<Record<string, string>, string | undefined, string>
  secret_sealed: Buffer | null
  /** Previous secret, which also signs deliveries until `former_secret_until`. */
  former_secret_sealed: Buffer | null
  former_secret_until: Date | null
  authorization_sealed: Buffer | null
  events: string[]
  branch_filter: Generated<string>
  is_active: Generated<boolean>
  /** Why the server stopped sending; null if it did not. */
  disabled_reason: 'gone' | 'failing' | null
  /** When the current series of failed attempts began; null if the last attempt succeeded. */
  failing_since: Date | null
  /** Time until which the receiver has asked to receive no deliveries. */
  busy_until: Date | null
  last_sequence: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Request body of deliveries, compressed with gzip. */
export interface HookPayloadsTable {
  id: Generated<number>
  body: Buffer
  created_at: Generated<Date>
}

/** Why an attempt was made. `manual_retry`: a user did not wait for the next scheduled attempt. */
type AttemptCause = 'first' | 'retry' | 'manual_retry' | 'redelivery' | 'replay'

/** A delivery of a webhook. The table is both queue and log. */
export interface HookDeliveriesTable {
  id: Generated<number>
  uuid: string
  /** Webhook of the delivery. It may already be deleted, because its deliveries are deleted later. */
  hook_id: number
  kind: 'event' | 'test' | 'ping'
  event_id: number | null
  /** Event name in the request header, which groups several event types. */
  event: string
  event_type: string
  /** Number of the delivery among those of the webhook. */
  sequence: number
  content_type: 'json' | 'form'
  payload_id: number
  target: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: Generated<number>
  /** Attempts since the delivery was last requested, which determine the time of its next retry. */
  tries: Generated<number>
  /** Cause of the next attempt; once the delivery has finished, of the last one. */
  cause: Generated<AttemptCause>
  /** Null once the delivery has finished. */
  next_attempt_at: Date | null
  /** Set while a process sends the delivery: when its lease ends. */
  leased_until: Date | null
  last_status: number | null
  last_error: string | null
  created_at: Generated<Date>
  finished_at: Date | null
}

/** One HTTP request of a delivery, and its response. */
export interface HookAttemptsTable {
  id: Generated<number>
  delivery_id: number
  hook_id: number
  number: number
  cause: AttemptCause
  started_at: Date
  duration_ms: number
  url_sealed: Buffer
  request_headers: ColumnType<Record<string, string>, string, string>
  /** Null if no response was received. */
  status: number | null
  response_headers: ColumnType<Record<string, string> | null, string | null, string | null>
  /** Compressed with gzip. */
  response_body: Buffer | null
  response_truncated: Generated<boolean>
  error: string | null
}

/** The webhooks considered for an event, each with the reason why the event was or was not sent to it. */
export interface HookTracesTable {
  event_id: number
  considered: ColumnType<unknown, string, string>
  created_at: Generated<Date>
}
