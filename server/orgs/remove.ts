import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { explainGone } from '@/server/users'
import { getOrg } from './find'
import { requireOwner } from './policy'
import { deleteOrg, lockForDeletion } from './store'

/**
 * Deletes an organization with its teams and blocks, for its owners.
 * Throws notFound, forbidden, unprocessable while it owns repositories.
 */
export async function removeOrg(ctx: UserCtx, name: string): Promise<void> {
  const seen = await getOrg(ctx, name)
  requireOwner(seen)
  const { id } = seen.org
  try {
    await withTransaction(ctx.db, async trx => {
      const counts = await lockForDeletion(trx, id)
      if (!counts) throw notFound()
      if (counts.repository_count > 0) {
        throw unprocessable(
          `organization still owns repositories [name: ${seen.org.name}, count: ${counts.repository_count}]; ` +
            'delete them or give them away first',
        )
      }
      await deleteOrg(trx, id)
      await recordEvent(ctx, trx, { kind: 'org.deleted', ownerId: null, facts: { name: seen.org.name } })
    })
  } catch (error) {
    throw explainGone(error)
  }
}
