import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { Account } from '@/server/kernel/auth/account'
import { unprocessable } from '@/server/kernel/errors'
import { noSuchUser } from './find'
import { findOrganizationOfOneOwner, lockOwner } from './store'

/**
 * Throws unprocessable while repositories or an organization would be left without an owner by the end of this account,
 * notFound when it is gone already. Until the transaction ends nothing new can come to belong to it. Whoever calls it
 * holds the person's organizations, so that no other owner leaves one.
 */
export async function requireOwnsNothing(trx: Transaction<Database>, account: Account): Promise<void> {
  const repositories = await lockOwner(trx, account.id)
  if (repositories === undefined) throw noSuchUser(account.name)
  if (repositories > 0) {
    throw unprocessable(
      `user still owns repositories [name: ${account.name}, count: ${repositories}]; delete them or give them away first`,
      { reason: { code: 'ownsRepositories', name: account.name, count: repositories } },
    )
  }
  const organization = await findOrganizationOfOneOwner(trx, account.id)
  if (organization) {
    throw unprocessable(
      `user is the last owner of an organization [name: ${organization}]; add another owner or delete it first`,
      { reason: { code: 'lastOwner', name: account.name, organization } },
    )
  }
}
