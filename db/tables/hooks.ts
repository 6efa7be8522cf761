import type { ColumnType, Generated } from 'kysely'

export type HookScope = 'repository' | 'owner' | 'system' | 'default'

/** Where events are sent, and which. Columns that end in `_sealed` are opened by `kernel/seal`. */
export interface HooksTable {
  id: Generated<number>
  scope: HookScope
  owner_id: number | null
  repository_id: number | null
  type: string
  name: Generated<string>
  url_sealed: Buffer
  /** Host and port of the address. */
  target: string
  content_type: 'json' | 'form'
  /** What the type needs besides the address, such as a channel. Written as the text of a JSON object. */
  options: ColumnType<Record<string, string>, string | undefined, string>
  secret_sealed: Buffer | null
  /** Still signs, beside the secret that replaced it, until the time given. */
  former_secret_sealed: Buffer | null
  former_secret_until: Date | null
  authorization_sealed: Buffer | null
  events: string[]
  branch_filter: Generated<string>
  is_active: Generated<boolean>
  /** Why the site stopped sending; null where it did not. */
  disabled_reason: 'gone' | 'failing' | null
  /** Since when every attempt failed; null when the last one did not. */
  failing_since: Date | null
  /** Until when its receiver asked to be sent nothing. */
  busy_until: Date | null
  last_sequence: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** A body that is sent, gzipped. */
export interface HookPayloadsTable {
  id: Generated<number>
  body: Buffer
  created_at: Generated<Date>
}

/** `manual_retry`: somebody did not wait for the next one of its schedule. */
type AttemptCause = 'first' | 'retry' | 'manual_retry' | 'redelivery' | 'replay'

/** What a hook sends: queue and log in one. */
export interface HookDeliveriesTable {
  id: Generated<number>
  uuid: string
  /** Of a hook that may be deleted: its deliveries are swept later. */
  hook_id: number
  kind: 'event' | 'test' | 'ping'
  event_id: number | null
  /** The header's word, which groups several types. */
  event: string
  event_type: string
  /** Counts the deliveries of the hook. */
  sequence: number
  content_type: 'json' | 'form'
  payload_id: number
  target: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: Generated<number>
  /** The attempts since it was last asked for, which its schedule counts. */
  tries: Generated<number>
  /** Of the next attempt, or of the last one once it is over. */
  cause: Generated<AttemptCause>
  /** Null once it is over. */
  next_attempt_at: Date | null
  /** While a process sends it. */
  leased_until: Date | null
  last_status: number | null
  last_error: string | null
  created_at: Generated<Date>
  finished_at: Date | null
}

/** One request that was made for a delivery, and what came back. */
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
  /** Null where no answer came. */
  status: number | null
  response_headers: ColumnType<Record<string, string> | null, string | null, string | null>
  /** Gzipped. */
  response_body: Buffer | null
  response_truncated: Generated<boolean>
  error: string | null
}

/** The hooks considered for an event. */
export interface HookTracesTable {
  event_id: number
  considered: ColumnType<unknown, string, string>
  created_at: Generated<Date>
}
