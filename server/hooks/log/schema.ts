import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { id, line, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { skipReasons } from '../trace'

const status = z
  .enum(['pending', 'delivered', 'failed'])
  .describe('`pending`: waiting for its first or next attempt. `failed`: will not be retried automatically.')

/** A webhook delivery without its request and responses. */
export const HookDelivery = z
  .object({
    id: wireId,
    guid: z.string().describe('The ID that receivers see, which is the same for every attempt.'),
    kind: z.enum(['event', 'test', 'ping']).describe('Tests and pings are not retried automatically.'),
    event: z.string().describe('The event name in the request headers.'),
    event_type: z.string(),
    event_id: wireId.nullable().describe('ID of the event; null for tests and pings.'),
    sequence: z.int().describe("The delivery's sequence number within the webhook."),
    status,
    status_code: z.int().nullable().describe('HTTP status of the last response; null if there was none.'),
    error: z.string().nullable().describe('Why the last attempt failed; null if it succeeded.'),
    attempt_count: z.int(),
    redelivery: z.boolean().describe('Whether a user requested the last attempt.'),
    duration: z.number().nullable().describe('Duration of the last attempt in seconds.'),
    created_at: wireTimeSchema,
    delivered_at: wireTimeSchema
      .nullable()
      .describe('When the successful attempt started; null if the delivery has not succeeded.'),
    next_attempt_at: wireTimeSchema.nullable().describe('Null if no attempt is scheduled.'),
  })
  .meta({ id: 'HookDelivery' })
export type HookDelivery = z.output<typeof HookDelivery>
export const HookDeliveryPage = cursorPageOf(HookDelivery)

const headers = z.record(z.string(), z.string())

/** One delivery attempt, with its request and response. */
export const HookAttempt = z
  .object({
    number: z.int(),
    cause: z
      .enum(['first', 'retry', 'manual_retry', 'redelivery', 'replay'])
      .describe(
        '`manual_retry`: a user requested an immediate retry. `redelivery`: a user requested the attempt after the delivery had finished. `replay`: a user requested the attempt for all deliveries in a time window.',
      ),
    started_at: wireTimeSchema,
    duration: z.number().describe('Duration of the attempt in seconds.'),
    url: z.string().describe('URL of the request; empty if it can no longer be decrypted.'),
    request: z.object({
      method: z.enum(['POST', 'PUT']),
      headers: headers.describe('Headers of the request; the value of `Authorization` is hidden.'),
    }),
    response: z
      .object({
        status_code: z.int(),
        headers,
        payload: z.string(),
        truncated: z.boolean().describe('Whether the response was longer than the 64 KiB that are stored.'),
      })
      .nullable(),
    error: z
      .string()
      .nullable()
      .describe('Why the attempt failed, starting with the kind of failure; null if it succeeded.'),
  })
  .meta({ id: 'HookAttempt' })
export type HookAttempt = z.output<typeof HookAttempt>

/** A webhook delivery with its request and the responses. */
export const HookDeliveryDetails = HookDelivery.extend({
  content_type: z.string(),
  payload: z.string().describe('The exact body that every attempt sends.'),
  attempts: z.array(HookAttempt).describe('The last 50 attempts, oldest first.'),
}).meta({ id: 'HookDeliveryDetails' })
export type HookDeliveryDetails = z.output<typeof HookDeliveryDetails>

const timeForm = 'Use a date and time in RFC 3339 format, such as 2026-11-22T10:00:00Z.'

const instant = z.iso.datetime({ offset: true, error: timeForm }).transform(text => new Date(text))

const asTime = { type: 'string', format: 'date-time' } as const

const optionalTime = (description: string) =>
  z
    .union([z.string(), z.array(z.string())], timeForm)
    .transform(value => (Array.isArray(value) ? value[0] : value) || undefined)
    .pipe(instant.optional())
    .meta({ override: asTime, description })
    .optional()

const earliest = 'Only deliveries created at or after this time.'

/** Filters for listing or replaying the deliveries of a webhook. */
const filters = {
  status: status.optional(),
  event: line(50).describe('The event name in the request headers, or the exact type.').optional(),
  since: optionalTime(earliest),
  until: optionalTime('Only deliveries created before this time.'),
}
export const ListDeliveriesInput = z.object({ ...filters, ...cursorInput })
export type ListDeliveriesInput = z.output<typeof ListDeliveriesInput>
export type DeliveryFilter = Pick<ListDeliveriesInput, 'status' | 'event' | 'since' | 'until'>

export const DeliveryPath = z.object({ delivery_id: id })

const maxReplayed = 1000

export const ReplayInput = z
  .object({
    ...filters,
    since: instant.meta({ override: asTime, description: earliest }),
    status: z
      .enum(['failed', 'pending', 'delivered', 'all'])
      .default('failed')
      .describe(
        'Status of the deliveries to send. `pending` retries waiting deliveries immediately. Deliveries that are already being sent are not affected.',
      ),
    cursor: id
      .optional()
      .describe('`next` of the previous response. Use the same `until` each time to exclude new deliveries.'),
    limit: z
      .int()
      .min(1)
      .max(maxReplayed)
      .default(maxReplayed)
      .describe('Maximum number of deliveries to send, oldest first.'),
  })
  .superRefine(({ since, until }, issues) => {
    // Also runs if a date is invalid, which is already reported.
    if (!(since instanceof Date && until instanceof Date) || since < until) return
    const message = `until (${until.toISOString()}) must be later than since (${since.toISOString()}).`
    issues.addIssue({ code: 'custom', path: ['until'], message })
  })
export type ReplayInput = z.output<typeof ReplayInput>

export const Replayed = z
  .object({
    count: z.int().describe('Number of deliveries that will be redelivered.'),
    next: wireId.nullable().describe('The `cursor` for the next call; null if there are no more deliveries.'),
  })
  .meta({ id: 'ReplayedDeliveries' })
export type Replayed = z.output<typeof Replayed>

export const TestHookInput = z.object({
  ref: queryText
    .pipe(line(1024))
    .optional()
    .describe('A branch, tag, or commit. Defaults to the default branch.'),
})

export const DryRunInput = z.object({
  event_id: id
    .optional()
    .describe('ID of the event. Defaults to the newest event that the webhook subscribes to.'),
})

/** The request that a webhook would send for an event, or the reason why it would send none. */
export const DryRun = z
  .object({
    event_id: wireId,
    reason: z
      .enum(skipReasons)
      .nullable()
      .describe('Why the webhook would not receive the event; null if it would.'),
    request: z
      .object({ method: z.enum(['POST', 'PUT']), url: z.string(), headers, payload: z.string() })
      .nullable()
      .describe('The request; null if there is no payload for the event.'),
  })
  .meta({ id: 'HookDryRun' })
export type DryRun = z.output<typeof DryRun>

/** Number of a webhook's deliveries by status. A count of 1,000 means 1,000 or more. */
export const DeliveryCounts = z.object({ pending: z.int(), delivered: z.int(), failed: z.int() })
export type DeliveryCounts = z.output<typeof DeliveryCounts>
