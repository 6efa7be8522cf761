import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type FactsOf, type NewEvent, originOf, recordEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { HookPlace, HookRow } from './store'

type HookFacts = FactsOf<'hook.removed'>

/** Where an event about a hook belongs, and the facts that all of them have. */
export function aboutHook(
  place: HookPlace,
  hook: HookRow,
): Pick<NewEvent<'hook.removed'>, 'ownerId'> & { facts: HookFacts } {
  const { id, type, target, scope, repository_id } = hook
  return {
    ownerId: place.scope === 'site' ? null : place.ownerId,
    facts: { hookId: id, type, target, scope, repositoryId: repository_id },
  }
}

/** Records what happened to a hook, and tells those who look at it, or at the others beside it, after the commit. */
export async function recordHookEvent(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  event: NewEvent<'hook.added' | 'hook.edited' | 'hook.disabled' | 'hook.removed'>,
): Promise<void> {
  await recordEvent(trx, originOf(ctx), event)
  const { hookId, repositoryId } = event.facts
  announce(trx, { kind: 'hook.changed', hookId, ownerId: event.ownerId, repositoryId })
}
