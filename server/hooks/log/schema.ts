import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { id, line, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { skipReasons } from '../trace'

const status = z
  .enum(['pending', 'delivered', 'failed'])
  .describe('`pending`: it is sent now, or again later. `failed`: it is not sent again by itself.')

/** A webhook delivery without its request and responses. */
export const HookDelivery = z
  .object({
    id: wireId,
    guid: z.string().describe('The id that receivers see, the same with every attempt.'),
    kind: z
      .enum(['event', 'test', 'ping'])
      .describe('Tests and pings are sent once, and not again by themselves.'),
    event: z.string().describe('The word in the headers.'),
    event_type: z.string(),
    event_id: wireId.nullable().describe('What happened; null for tests and pings.'),
    sequence: z.int().describe('Counts the deliveries of the webhook.'),
    status,
    status_code: z.int().nullable().describe('Of the last answer; null where none came.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    attempt_count: z.int(),
    redelivery: z.boolean().describe('Whether somebody asked for the last attempt.'),
    duration: z.number().nullable().describe('Of the last attempt, in seconds.'),
    created_at: wireTimeSchema,
    delivered_at: wireTimeSchema
      .nullable()
      .describe('When the attempt began that arrived; null for one that is not delivered.'),
    next_attempt_at: wireTimeSchema.nullable().describe('Null once it is over.'),
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
        '`manual_retry`: somebody asked for the next retry at once. `redelivery`: for one that was over. `replay`: for all of a time.',
      ),
    started_at: wireTimeSchema,
    duration: z.number().describe('In seconds.'),
    url: z.string().describe('Empty where the key it was sealed with is lost.'),
    request: z.object({
      method: z.enum(['POST', 'PUT']),
      headers: headers.describe('`Authorization` is not shown.'),
    }),
    response: z
      .object({
        status_code: z.int(),
        headers,
        payload: z.string(),
        truncated: z.boolean().describe('More came than the 64 KiB that are kept.'),
      })
      .nullable(),
    error: z.string().nullable().describe('Why it failed, beginning with what did; null for a success.'),
  })
  .meta({ id: 'HookAttempt' })
export type HookAttempt = z.output<typeof HookAttempt>

/** A webhook delivery with its request and the responses. */
export const HookDeliveryDetails = HookDelivery.extend({
  content_type: z.string(),
  payload: z.string().describe('The very body that every attempt sends.'),
  attempts: z.array(HookAttempt).describe('The last 50, oldest first.'),
}).meta({ id: 'HookDeliveryDetails' })
export type HookDeliveryDetails = z.output<typeof HookDeliveryDetails>

const timeForm = 'Give a date and time as RFC 3339 has it, such as 2026-11-22T10:00:00Z.'

const instant = z.iso.datetime({ offset: true, error: timeForm }).transform(text => new Date(text))

const asTime = { type: 'string', format: 'date-time' } as const

const optionalTime = (description: string) =>
  z
    .union([z.string(), z.array(z.string())], timeForm)
    .transform(value => (Array.isArray(value) ? value[0] : value) || undefined)
    .pipe(instant.optional())
    .meta({ override: asTime, description })
    .optional()

const earliest = 'Created at this time or later.'

/** Filters for listing or replaying the deliveries of a webhook. */
const filters = {
  status: status.optional(),
  event: line(50).describe('The word in the headers, or the exact type.').optional(),
  since: optionalTime(earliest),
  until: optionalTime('Created before this time.'),
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
        '`pending`: those that wait for a retry make it now. What is being sent already is left alone.',
      ),
    cursor: id
      .optional()
      .describe(
        '`next` of the answer before; give the same `until` each time so that new deliveries stay out.',
      ),
    limit: z.int().min(1).max(maxReplayed).default(maxReplayed).describe('The oldest come first.'),
  })
  .superRefine(({ since, until }, issues) => {
    // Also runs if a date is invalid, which is already reported.
    if (!(since instanceof Date && until instanceof Date) || since < until) return
    const message = `until is ${until.toISOString()}, which is not after since, ${since.toISOString()}`
    issues.addIssue({ code: 'custom', path: ['until'], message })
  })
export type ReplayInput = z.output<typeof ReplayInput>

export const Replayed = z
  .object({
    count: z.int().describe('How many are sent again.'),
    next: wireId
      .nullable()
      .describe('Where the same call goes on, as its `cursor`; null where no more are left.'),
  })
  .meta({ id: 'ReplayedDeliveries' })
export type Replayed = z.output<typeof Replayed>

export const TestHookInput = z.object({
  ref: queryText
    .pipe(line(1024))
    .optional()
    .describe('A branch, a tag or a commit; the default branch when left out.'),
})

export const DryRunInput = z.object({
  event_id: id.optional().describe('What happened; the newest that the webhook asks for when left out.'),
})

/** The request that a webhook would send for an event, or the reason why it would send none. */
export const DryRun = z
  .object({
    event_id: wireId,
    reason: z
      .enum(skipReasons)
      .nullable()
      .describe('Why the webhook would not be sent it; null where it would.'),
    request: z
      .object({ method: z.enum(['POST', 'PUT']), url: z.string(), headers, payload: z.string() })
      .nullable()
      .describe('Null where nothing can be made of the event.'),
  })
  .meta({ id: 'HookDryRun' })
export type DryRun = z.output<typeof DryRun>

/** Number of a webhook's deliveries by status. A count of 1,000 means 1,000 or more. */
export const DeliveryCounts = z.object({ pending: z.int(), delivered: z.int(), failed: z.int() })
export type DeliveryCounts = z.output<typeof DeliveryCounts>
