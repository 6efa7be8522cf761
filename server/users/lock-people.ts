import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'

/**
 * Holds a person while it is settled whether they may come in: a block refers to both whom it concerns, and so waits
 * until this transaction ends, or is seen. The others whom an event will name are held with the person in one order, as
 * two people may each let in the other. Organizations that have to be locked are locked before.
 */
export async function lockPeople(
  trx: Transaction<Database>,
  personId: number,
  others: readonly number[],
): Promise<void> {
  const ids = [...new Set([personId, ...others])].sort((one, other) => one - other)
  for (const id of ids) {
    const row = trx.selectFrom('users').select('id').where('id', '=', id)
    await (id === personId ? row.forUpdate() : row.forKeyShare()).execute()
  }
}
