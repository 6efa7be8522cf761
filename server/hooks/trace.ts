/** Why a hook that an event concerns is not sent it. */
export const skipReasons = [
  'inactive',
  'disabled',
  'event_not_chosen',
  'branch_filter',
  'no_commits',
  'no_payload',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** What was decided of one hook for an event, as `hook_traces.considered` keeps it. */
export type Trace =
  | { hookId: number; outcome: 'queued'; deliveryId: number }
  | { hookId: number; outcome: 'skipped'; reason: SkipReason }
