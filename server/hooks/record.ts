import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type FactsOf, type NewEvent, originOf, recordEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { SettingsScope } from '@/server/scopes'
import type { HookRow } from './store'

type HookFacts = FactsOf<'hook.removed'>

/**
 * Returns the fields that all events about a webhook share: the owner and the data that identifies the
 * webhook.
 */
export function aboutHook(
  scope: SettingsScope,
  hook: HookRow,
): Pick<NewEvent<'hook.removed'>, 'ownerId'> & { facts: HookFacts } {
  const { id, type, target, repository_id } = hook
  return {
    ownerId: scope.kind === 'site' ? null : scope.ownerId,
    facts: { hookId: id, type, target, scope: hook.scope, repositoryId: repository_id },
  }
}

/** Records an event about a webhook. After the commit, notifies pages that show the webhook or its list. */
export async function recordHookEvent(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  event: NewEvent<'hook.edited' | 'hook.disabled' | 'hook.removed'>,
): Promise<void> {
  await recordEvent(trx, originOf(ctx), event)
  const { hookId, repositoryId } = event.facts
  announce(trx, { kind: 'hook.changed', hookId, ownerId: event.ownerId, repositoryId })
}
