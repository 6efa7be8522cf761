import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'

/**
 * Keeps accounts and repositories from being deleted until the transaction ends, as the rows that name them would. Deleting
 * one takes its hooks along: whoever locked those first, and then wrote of their owner, would wait for it in a circle.
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
