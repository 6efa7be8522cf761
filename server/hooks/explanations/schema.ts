import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { id, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { skipReasons } from '../trace'

/** An event that webhooks can receive, with the number of webhooks that sent or skipped it. */
export const HookEvent = z
  .object({
    id: wireId,
    type: z.string().describe('Event type that webhooks can subscribe to, such as `push`.'),
    kind: z.string().describe('Exact kind of the event, such as `ref.created`.'),
    summary: z.string().describe('Plain-language description of the event.'),
    created_at: wireTimeSchema,
    actor: z.object({ id: wireId, login: z.string() }).nullable(),
    repository: z.object({ id: wireId, full_name: z.string() }).nullable(),
    state: z
      .enum(['waiting', 'considered', 'no_webhooks', 'expired'])
      .describe(
        '`waiting`: no webhook has been considered yet. `considered`: at least one webhook was considered. `no_webhooks`: there were no webhooks to consider. `expired`: the event is too old, so this is no longer known.',
      ),
    delivered: z.int().describe('Number of your webhooks that delivered the event.'),
    pending: z.int().describe('Number of your webhooks with pending deliveries.'),
    failed: z
      .int()
      .describe('Number of your webhooks with failed deliveries that will not be retried automatically.'),
    skipped: z.int().describe('Number of your webhooks that were considered but did not send the event.'),
  })
  .meta({ id: 'HookEvent' })
export type HookEvent = z.output<typeof HookEvent>
export const HookEventPage = cursorPageOf(HookEvent)

/** A webhook that could have received an event, with the decision and the reason. */
export const ConsideredHook = z
  .object({
    hook: z.object({
      id: wireId,
      name: z.string(),
      type: z.string(),
      target: z.string().describe('Host and port of the webhook URL.'),
      scope: z.enum(['repository', 'owner', 'system', 'default']),
    }),
    outcome: z
      .enum(['queued', 'skipped', 'later'])
      .describe('`later`: the webhook was created after the event, and is not included in the counts.'),
    reason: z
      .enum([...skipReasons, 'created_later'])
      .nullable()
      .describe('Why the webhook did not receive the event; null if a delivery was created.'),
    explanation: z.string().describe('Plain-language description of the outcome.'),
    delivery: z
      .object({
        id: wireId,
        status: z.enum(['pending', 'delivered', 'failed']),
        attempts: z.int(),
        next_attempt_at: wireTimeSchema.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'ConsideredHook' })
export type ConsideredHook = z.output<typeof ConsideredHook>

/** An event with all of the viewer's webhooks that could have received it. */
export const ExplainedHookEvent = HookEvent.extend({
  explanation: z.string().describe('Plain-language summary of what happened to the event.'),
  considered: z.array(ConsideredHook),
}).meta({ id: 'ExplainedHookEvent' })
export type ExplainedHookEvent = z.output<typeof ExplainedHookEvent>

export const HookEventsInput = z.object(cursorInput)
export const HookEventPath = z.object({ event_id: id })
export const ScopedEventsInput = ScopePath.extend(cursorInput)
export const ScopedEventPath = ScopePath.extend({ event_id: id })
