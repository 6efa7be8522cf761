import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type FactsOf, type NewEvent, originOf, recordEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Place } from '@/server/places'
import type { HookRow } from './store'

type HookFacts = FactsOf<'hook.removed'>

/** The owner and place of an event about a hook, and the facts common to all hook events. */
export function aboutHook(
  place: Place,
  hook: HookRow,
): Pick<NewEvent<'hook.removed'>, 'ownerId'> & { facts: HookFacts } {
  const { id, type, target, scope, repository_id } = hook
  return {
    ownerId: place.scope === 'site' ? null : place.ownerId,
    facts: { hookId: id, type, target, scope, repositoryId: repository_id },
  }
}

/** Records an event about a hook and, after the commit, notifies pages that show the hook or its list. */
export async function recordHookEvent(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  event: NewEvent<'hook.added' | 'hook.edited' | 'hook.disabled' | 'hook.removed'>,
): Promise<void> {
  await recordEvent(trx, originOf(ctx), event)
  const { hookId, repositoryId } = event.facts
  announce(trx, { kind: 'hook.changed', hookId, ownerId: event.ownerId, repositoryId })
}
