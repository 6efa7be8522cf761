import type { EventKind } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { wireTime } from '@/server/kernel/wire'
import type { HookPlaceFor } from '../load'
import { hookTypeOf } from '../payload'
import type { ConsideredHook, ExplainedHookEvent, HookEvent, skipReasons } from './schema'
import {
  findHookEvent,
  type HookEventRow,
  selectKnownHooks,
  selectLaterHooks,
  selectTracedDeliveries,
  type TracedDelivery,
} from './store'
import { type Decided, decidedOf, tracesOf, viewHookEvent } from './view'

type Reason = (typeof skipReasons)[number]

/**
 * Says of one event what became of it, for each hook of the place that it could have been sent to.
 * @throws {DomainError} notFound for an event of another place, or of a kind that no hook is told of.
 */
export async function explainHookEvent(
  ctx: UserCtx,
  place: HookPlaceFor,
  eventId: number,
): Promise<ExplainedHookEvent> {
  const row = await findHookEvent(ctx.db, place, eventId)
  if (!row) throw notFound(`no event ${eventId} that webhooks here could be told of; hooks/events lists them`)
  const traces = tracesOf(row)
  const [hooks, later, deliveries] = await Promise.all([
    selectKnownHooks(
      ctx.db,
      place,
      traces.map(({ hookId }) => hookId),
    ),
    // One that came to be in the meantime is still asked as long as the event waits.
    row.consumer === null ? selectLaterHooks(ctx.db, place, row) : [],
    selectTracedDeliveries(ctx.db, traces),
  ])
  const decided = decidedOf(row, hooks, deliveries)
  const asked = new Set(decided.map(({ hook }) => hook.id))
  const late = later.filter(({ id }) => !asked.has(id))
  const considered = [
    ...decided.map(one => viewConsidered(one, row)),
    ...late.map(hook => ({ ...unsent('createdLater', row), hook, outcome: 'later' as const })),
  ]
  const event = viewHookEvent(ctx, row, decided)
  return { ...event, explanation: explanations[event.state], considered }
}

const explanations: Record<HookEvent['state'], string> = {
  waiting: 'No webhook was asked yet; that takes a moment.',
  considered: 'These webhooks were asked.',
  unheard: 'There was no webhook to ask when it happened.',
  forgotten: 'It is too long ago: which webhooks were asked is no longer kept.',
}

function viewConsidered({ hook, trace, delivery }: Decided, event: HookEventRow): ConsideredHook {
  if (trace.outcome === 'skipped')
    return { ...unsent(trace.reason as Reason, event), hook, outcome: 'skipped' }
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
  if (!delivery) return 'What came of it is no longer kept.'
  const { status, attempts, last_error } = delivery
  const times = attempts === 1 ? 'once' : `${attempts} times`
  const because = last_error ? `: ${last_error}` : ''
  switch (status) {
    case 'delivered':
      return attempts === 1 ? 'It was delivered.' : `It was delivered; that was tried ${times}.`
    case 'pending':
      return attempts === 0
        ? 'It is about to be sent.'
        : `It was tried ${times} and is tried again${because}.`
    case 'failed':
      // What then kept it from being sent begins with that it was not.
      if (attempts === 0) return `It was ${last_error ?? 'not sent'}.`
      return `It was tried ${times} and not delivered${because}.`
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
      return 'The webhook was not active.'
    case 'disabled':
      return 'The site had disabled the webhook, as nothing it sent arrived.'
    case 'eventNotChosen':
      return `The webhook did not ask for ${type}.`
    case 'branchFilter':
      return `Its branch filter left out ${ref?.replace(/^refs\/(heads|tags)\//, '') ?? 'it'}.`
    case 'noCommits':
      return 'Chats are not told of a push without commits.'
    case 'noPayload':
      return kind === 'refs.changed'
        ? 'It was sent the first thousand branches and tags one by one, and of more it is not told.'
        : 'What it would have told of was deleted by then.'
    case 'createdLater':
      return 'The webhook was created after that.'
  }
}
