import type { Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { announce, type FactsOf, type NewEvent, originOf, recordEvent } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { RunnerRow } from './store'

type Owned = Pick<RunnerRow, 'id' | 'name' | 'owner_id' | 'repository_id'>

/** Returns the facts that all events about runners share. */
export const aboutRunner = ({ id, name, repository_id }: Owned): FactsOf<'runner.deleted'> => ({
  runnerId: id,
  name,
  repositoryId: repository_id,
})

/**
 * Returns the account that an event of this call names as its actor. It must be locked with the scope's
 * owner.
 */
export const actorsOf = ({ caller }: ServiceCtx): number[] =>
  caller.kind === 'user' ? [(caller.actor ?? caller.user).id] : []

/** Records an event about a runner. After the commit, open pages and waiting runners are notified. */
export async function recordRunnerEvent(
  ctx: ServiceCtx,
  trx: Transaction<Database>,
  runner: Owned,
  event: NewEvent<
    'runner.registered' | 'runner.edited' | 'runner.disabled' | 'runner.enabled' | 'runner.deleted'
  >,
): Promise<void> {
  await recordEvent(trx, originOf(ctx), event)
  announceRunner(trx, runner)
}

/**
 * Notifies open pages and waiting runners, after the commit, that a runner changed, came online or was
 * deleted.
 */
export function announceRunner(db: Db, { id, owner_id, repository_id }: Omit<Owned, 'name'>): void {
  announce(db, { kind: 'runner.changed', runnerId: id, ownerId: owner_id, repositoryId: repository_id })
}
