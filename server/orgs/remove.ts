import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, unprocessable } from '@/server/kernel/errors'
import {
  endedOf,
  endOffers,
  keepAccounts,
  mapForeignKeyError,
  maxPreviewNames,
  type Removal,
  removal,
} from '@/server/users'
import type { OrganizationFor } from './load'
import { deleteOrg, lockForDeletion, selectFirstMembers, selectFirstTeams } from './store'
import { viewOrg } from './view'

/**
 * Deletes an organization with its teams and blocks and returns what was removed. `check` runs while the
 * organization is locked and can prevent the deletion by throwing.
 * @throws {DomainError} notFound if the organization is deleted concurrently; unprocessable if it still owns
 * repositories.
 */
export async function removeOrg(
  ctx: UserCtx,
  found: OrganizationFor<'ownership'>,
  check?: (trx: Transaction<Database>) => Promise<void>,
): Promise<Removal> {
  const { id } = found.org
  try {
    return await withTransaction(ctx.db, async trx => {
      const counts = await lockForDeletion(trx, id)
      await keepAccounts(trx, [originOf(ctx).actorId])
      if (!counts) throw deleted('organization')
      await check?.(trx)
      if (counts.repository_count > 0) {
        throw unprocessable(
          `organization still owns repositories [name: ${found.org.name}, count: ${counts.repository_count}]; ` +
            'delete or transfer them first',
          {
            reason: { code: 'ownsRepositories', name: found.org.name, count: counts.repository_count },
          },
        )
      }
      const members = await selectFirstMembers(trx, id, maxPreviewNames)
      const teams = await selectFirstTeams(trx, id, maxPreviewNames)
      await endOffers(ctx, trx, { of: id })
      await deleteOrg(trx, id)
      await recordEvent(trx, originOf(ctx), {
        kind: 'org.deleted',
        ownerId: null,
        facts: { orgId: id, name: found.org.name, shown: viewOrg({ ...ctx, caller: anonymous }, found.org) },
      })
      return removal({
        people: { total: counts.member_count, names: members },
        organizations: endedOf([found.org.name]),
        teams: { total: counts.team_count, names: teams },
      })
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}
