import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'

/**
 * Locks accounts and repositories against deletion until the transaction ends, as rows that reference them would.
 * Deleting one also deletes its hooks, so locking hooks first and writing about their owners later would deadlock.
 */
export async function lockOwners(
  trx: Transaction<Database>,
  owned: readonly { accountId: number | null; repositoryId: number | null }[],
): Promise<void> {
  const accounts = owned.flatMap(({ accountId }) => accountId ?? [])
  const repositories = owned.flatMap(({ repositoryId }) => repositoryId ?? [])
  const lock = async (table: 'users' | 'repositories', ids: readonly number[]) => {
    if (ids.length === 0) return
    const unique = anyOf([...new Set(ids)])
    await trx.selectFrom(table).select('id').where('id', '=', unique).orderBy('id').forKeyShare().execute()
  }
  await lock('users', accounts)
  await lock('repositories', repositories)
}
