import type { EventKind } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { shortRef } from '@/server/kernel/git/ref-names'
import { wireTime } from '@/server/kernel/wire'
import type { HookScopeFor } from '../load'
import { hookTypeOf } from '../payload'
import type { ConsideredHook, ExplainedHookEvent, HookEvent } from './schema'
import {
  findHookEvent,
  type HookEventRow,
  selectKnownHooks,
  selectLaterHooks,
  selectTracedDeliveries,
  type TracedDelivery,
} from './store'
import { type Decided, decidedOf, tracesOf, upperFirst, viewHookEvent } from './view'

type Reason = NonNullable<ConsideredHook['reason']>

/**
 * Explains, for each webhook that could have received an event, whether the event was sent and, if not, why.
 * Covers the webhooks of a scope: an account, an organization, a repository, or the site.
 * @throws {DomainError} notFound if the event belongs to another scope, or if webhooks cannot receive events
 * of its kind.
 */
export async function explainHookEvent(
  ctx: UserCtx,
  scope: HookScopeFor,
  eventId: number,
): Promise<ExplainedHookEvent> {
  const row = await findHookEvent(ctx.db, scope, eventId)
  if (!row)
    throw notFound(
      `There is no event ${eventId} that webhooks here could receive. See hooks/events for a list of these events.`,
    )
  const traces = tracesOf(row)
  const [hooks, later, deliveries] = await Promise.all([
    selectKnownHooks(
      ctx.db,
      scope,
      traces.map(({ hookId }) => hookId),
    ),
    // While the event is waiting, newer webhooks can still receive it.
    row.consumer === null ? selectLaterHooks(ctx.db, scope, row) : [],
    selectTracedDeliveries(ctx.db, traces),
  ])
  const decided = decidedOf(row, hooks, deliveries)
  const asked = new Set(decided.map(({ hook }) => hook.id))
  const late = later.filter(({ id }) => !asked.has(id))
  const considered = [
    ...decided.map(one => viewConsidered(one, row)),
    ...late.map(hook => ({ ...unsent('created_later', row), hook, outcome: 'later' as const })),
  ]
  const event = viewHookEvent(ctx, row, decided)
  return { ...event, explanation: explanations[event.state], considered }
}

const explanations: Record<HookEvent['state'], string> = {
  waiting: 'No webhook has been considered for this event yet. This can take a moment.',
  considered: 'These webhooks were considered for this event.',
  no_webhooks: 'There were no webhooks for this event when it happened.',
  expired: 'This event is too old to determine which webhooks received it.',
}

function viewConsidered({ hook, trace, delivery }: Decided, event: HookEventRow): ConsideredHook {
  if (trace.outcome === 'skipped') return { ...unsent(trace.reason, event), hook, outcome: 'skipped' }
  return {
    hook,
    outcome: 'queued',
    reason: null,
    explanation: explainDelivery(delivery),
    delivery: delivery
      ? {
          id: delivery.id,
          status: delivery.status,
          attempts: delivery.attempts,
          next_attempt_at: delivery.next_attempt_at && wireTime(delivery.next_attempt_at),
        }
      : null,
  }
}

function explainDelivery(delivery: TracedDelivery | undefined): string {
  if (!delivery) return 'The delivery is no longer available.'
  const { status, attempts, last_error } = delivery
  const times = attempts === 1 ? 'once' : `${attempts} times`
  const lastError = last_error ? ` Last error: ${last_error}.` : ''
  switch (status) {
    case 'delivered':
      return attempts === 1 ? 'Delivered.' : `Delivered after ${attempts} attempts.`
    case 'pending':
      return attempts === 0 ? 'Will be sent shortly.' : `Attempted ${times} and will be retried.${lastError}`
    case 'failed':
      // The error already says that nothing was sent, and why.
      if (attempts === 0) return `${upperFirst(last_error ?? 'not sent')}.`
      return `Failed after ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}.${lastError}`
  }
}

const unsent = (
  reason: Reason,
  event: HookEventRow,
): Pick<ConsideredHook, 'reason' | 'explanation' | 'delivery'> => ({
  reason,
  explanation: explainReason(reason, event),
  delivery: null,
})

function explainReason(reason: Reason, { kind, data }: HookEventRow): string {
  const type = hookTypeOf(kind as EventKind)
  const { ref } = data as { ref?: string }
  switch (reason) {
    case 'inactive':
      return 'The webhook was inactive.'
    case 'disabled':
      return 'The webhook was disabled because its deliveries failed.'
    case 'event_not_chosen':
      return `The webhook is not subscribed to ${type} events.`
    case 'branch_filter':
      return `The branch filter excludes ${ref === undefined ? 'it' : shortRef(ref)}.`
    case 'no_commits':
      return 'Pushes without commits are not sent to chats.'
    case 'no_payload':
      return kind === 'refs.changed'
        ? 'The first 1,000 branches and tags were sent individually, and the rest were not sent.'
        : 'The subject of the event had already been deleted.'
    case 'created_later':
      return 'The webhook was created after this event.'
  }
}
