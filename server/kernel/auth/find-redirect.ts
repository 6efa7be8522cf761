import type { Db } from '@/db/client'
import { type Account, accountColumns } from './account'

/** The account that had this name before it was renamed, if nobody else has it now. */
export async function findRenamedAccount(db: Db, name: string): Promise<Account | undefined> {
  if (!/^[\w.-]{1,64}$/.test(name)) return undefined
  return await db
    .selectFrom('account_redirects')
    .innerJoin('users', 'users.id', 'account_redirects.account_id')
    .select(accountColumns)
    .where('account_redirects.name', '=', name.toLowerCase())
    .executeTakeFirst()
}
