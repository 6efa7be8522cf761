import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce, type FactsOf, type NewEvent } from '@/server/events'
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

/** Tells, after the commit, that a hook of a place is another one by now, or a delivery of it. */
export function announceChange(
  trx: Transaction<Database>,
  place: HookPlace,
  hookId: number,
  deliveryId?: number,
): void {
  const ownerId = place.scope === 'site' ? null : place.ownerId
  const repositoryId = place.scope === 'repository' ? place.repositoryId : null
  const kind = deliveryId === undefined ? 'hook.changed' : 'hook.delivery_changed'
  announce(trx, { kind, hookId, ownerId, repositoryId, deliveryId })
}
