/** Reasons why a webhook does not receive an event that concerns it. */
export const skipReasons = [
  'inactive',
  'disabled',
  'event_not_chosen',
  'branch_filter',
  'no_commits',
  'no_payload',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** Record of whether a webhook was sent an event, as stored in `hook_traces.considered`. */
export type Trace =
  | { hookId: number; outcome: 'queued'; deliveryId: number }
  | { hookId: number; outcome: 'skipped'; reason: SkipReason }
