import { z } from 'zod'
import { cursorInput, cursorPageOf } from '@/server/kernel/pagination'
import { id, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { ScopePath } from '@/server/scopes/schema'
import { skipReasons } from '../trace'

/** An event that webhooks can receive, with the number of webhooks that sent or skipped it. */
export const HookEvent = z
  .object({
    id: wireId,
    type: z.string().describe('What webhooks ask for to be told of it, such as `push`.'),
    kind: z.string().describe('What exactly happened, such as `ref.created`.'),
    summary: z.string().describe('What happened, in plain words.'),
    created_at: wireTimeSchema,
    actor: z.object({ id: wireId, login: z.string() }).nullable(),
    repository: z.object({ id: wireId, full_name: z.string() }).nullable(),
    state: z
      .enum(['waiting', 'considered', 'no_webhooks', 'expired'])
      .describe(
        '`waiting`: no webhook was asked yet. `considered`: some were. `no_webhooks`: there was none to ask. `expired`: it is too long ago to say.',
      ),
    delivered: z.int().describe('How many of your webhooks it was delivered by.'),
    pending: z.int().describe('How many of your webhooks send it now, or again later.'),
    failed: z
      .int()
      .describe('How many of your webhooks sent it in vain, and do not send it again by themselves.'),
    skipped: z.int().describe('How many of your webhooks were asked, and did not send it.'),
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
      target: z.string().describe('Host and port of its address.'),
      scope: z.enum(['repository', 'owner', 'system', 'default']),
    }),
    outcome: z
      .enum(['queued', 'skipped', 'later'])
      .describe('`later`: it was not there to be asked, and is not counted among those that were.'),
    reason: z
      .enum([...skipReasons, 'created_later'])
      .nullable()
      .describe('Why it was not sent the event; null where it was.'),
    explanation: z.string().describe('The same in plain words.'),
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
  explanation: z.string().describe('What became of the event as a whole, in plain words.'),
  considered: z.array(ConsideredHook),
}).meta({ id: 'ExplainedHookEvent' })
export type ExplainedHookEvent = z.output<typeof ExplainedHookEvent>

export const HookEventsInput = z.object(cursorInput)
export const HookEventPath = z.object({ event_id: id })
export const ScopedEventsInput = ScopePath.extend(cursorInput)
export const ScopedEventPath = ScopePath.extend({ event_id: id })
