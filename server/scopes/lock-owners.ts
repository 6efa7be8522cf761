import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'

/**
 * Locks accounts and repositories against deletion until the transaction ends, as rows that reference them
 * would, and returns the IDs of those that exist. Deleting an owner also deletes its webhooks, so locking
 * webhooks first and writing about their owners later would deadlock.
 */
export async function lockOwners(
  trx: Transaction<Database>,
  owned: readonly { accountId: number | null; repositoryId: number | null }[],
): Promise<{ accounts: number[]; repositories: number[] }> {
  const accounts = owned.flatMap(({ accountId }) => accountId ?? [])
  const repositories = owned.flatMap(({ repositoryId }) => repositoryId ?? [])
  const lock = async (table: 'users' | 'repositories', ids: readonly number[]) => {
    if (ids.length === 0) return []
    const unique = anyOf([...new Set(ids)])
    const rows = trx.selectFrom(table).select('id').where('id', '=', unique).orderBy('id').forKeyShare()
    return (await rows.execute()).map(({ id }) => id)
  }
  return { accounts: await lock('users', accounts), repositories: await lock('repositories', repositories) }
}
