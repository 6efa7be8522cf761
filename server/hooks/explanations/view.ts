import { describeEvent, type EventKind, readEvent } from '@/server/events'
import { dayMs } from '@/server/kernel/clock'
import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { hookTypeOf } from '../payload'
import type { Trace } from '../trace'
import type { HookEvent } from './schema'
import type { HookEventRow, KnownHook, TracedDelivery } from './store'

export const tracesOf = ({ considered }: HookEventRow): Trace[] => (considered ?? []) as Trace[]

/**
 * The recorded decision whether a webhook is sent an event, with the delivery unless none was created or it
 * has been deleted since.
 */
export interface Decided {
  hook: KnownHook
  trace: Trace
  delivery: TracedDelivery | undefined
}

/**
 * Returns the recorded decisions whether an event is sent to webhooks, with the deliveries. Omits decisions
 * about webhooks that are not in `hooks`.
 */
export function decidedOf(
  row: HookEventRow,
  hooks: readonly KnownHook[],
  deliveries: readonly TracedDelivery[],
): Decided[] {
  const known = new Map(hooks.map(hook => [hook.id, hook]))
  const made = new Map(deliveries.map(delivery => [delivery.id, delivery]))
  return tracesOf(row).flatMap(trace => {
    const hook = known.get(trace.hookId)
    const delivery = trace.outcome === 'queued' ? made.get(trace.deliveryId) : undefined
    return hook ? [{ hook, trace, delivery }] : []
  })
}

/** Converts an event to its API representation, with the number of webhooks for each outcome. */
export function viewHookEvent(
  ctx: Pick<UserCtx, 'clock' | 'config'>,
  row: HookEventRow,
  decided: readonly Decided[],
): HookEvent {
  const count = (status: TracedDelivery['status']): number =>
    decided.filter(({ delivery }) => delivery?.status === status).length
  const { id, kind, actor_id, actor, repository_id, repository, owner } = row
  const event = readEvent(row)
  return {
    id,
    type: hookTypeOf(kind as EventKind) ?? '',
    kind,
    summary: event ? upperFirst(describeEvent(event)) : kind,
    created_at: wireTime(row.created_at),
    actor: actor_id !== null && actor !== null ? { id: actor_id, login: actor } : null,
    repository:
      repository_id !== null && repository !== null
        ? { id: repository_id, full_name: `${owner}/${repository}` }
        : null,
    state: stateOf(ctx, row, decided.length),
    delivered: count('delivered'),
    pending: count('pending'),
    failed: count('failed'),
    skipped: decided.filter(({ trace }) => trace.outcome === 'skipped').length,
  }
}

function stateOf(
  ctx: Pick<UserCtx, 'clock' | 'config'>,
  row: HookEventRow,
  decided: number,
): HookEvent['state'] {
  if (row.consumer !== null) return 'waiting'
  if (decided > 0) return 'considered'
  if (row.considered !== null) return 'no_webhooks'
  const age = ctx.clock.now().getTime() - row.created_at.getTime()
  return age > ctx.config.webhookLogDays * dayMs ? 'expired' : 'no_webhooks'
}

/** Returns a text with its first letter in upper case. */
export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
