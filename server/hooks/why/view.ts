import { type EventKind, readEvent } from '@/server/events'
import { dayMs } from '@/server/kernel/clock'
import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { hookTypeOf } from '../payload'
import type { HookEvent } from './schema'
import type { HookEventRow, Trace } from './store'
import { summaryOf } from './summary'

export const tracesOf = ({ considered }: HookEventRow): Trace[] => (considered ?? []) as Trace[]

/** Shows an event, with what was decided of these hooks. */
export function viewHookEvent(
  ctx: Pick<UserCtx, 'clock' | 'config'>,
  row: HookEventRow,
  known: ReadonlySet<number>,
): HookEvent {
  const traces = tracesOf(row).filter(({ hookId }) => known.has(hookId))
  const queued = traces.filter(({ outcome }) => outcome === 'queued').length
  const { id, kind, actor_id, actor, repository_id, repository, owner } = row
  const event = readEvent(row)
  return {
    id,
    type: hookTypeOf(kind as EventKind) ?? '',
    kind,
    summary: event ? summaryOf(event) : kind,
    created_at: wireTime(row.created_at),
    actor: actor_id !== null && actor !== null ? { id: actor_id, login: actor } : null,
    repository:
      repository_id !== null && repository !== null
        ? { id: repository_id, full_name: `${owner}/${repository}` }
        : null,
    state: stateOf(ctx, row, traces.length),
    queued,
    skipped: traces.length - queued,
  }
}

function stateOf(
  ctx: Pick<UserCtx, 'clock' | 'config'>,
  row: HookEventRow,
  traces: number,
): HookEvent['state'] {
  if (row.consumer !== null) return 'waiting'
  if (traces > 0) return 'considered'
  if (row.considered !== null) return 'unheard'
  const age = ctx.clock.now().getTime() - row.created_at.getTime()
  return age > ctx.config.webhookLogDays * dayMs ? 'forgotten' : 'unheard'
}
