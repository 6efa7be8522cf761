import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'

const columns = [
  'id',
  'type',
  'target',
  'scope',
  'repository_id',
  'is_active',
  'disabled_reason',
  'failing_since',
  'last_sequence',
  'busy_until',
] as const

export type LockedHook = Awaited<ReturnType<typeof selectLocked>>[number]

const selectLocked = (trx: Transaction<Database>, ids: ReadonlySet<number>) =>
  trx
    .selectFrom('hooks')
    .select(columns)
    .where('id', '=', anyOf([...ids]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Locks the webhooks with these IDs that still exist and returns their current rows by ID. */
export async function lockHooks(
  trx: Transaction<Database>,
  ids: readonly number[],
): Promise<Map<number, LockedHook>> {
  return new Map((await selectLocked(trx, new Set(ids))).map(hook => [hook.id, hook]))
}
