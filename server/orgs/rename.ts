import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { originOf, recordEvent } from '@/server/kernel/events/record'
import { checkName, explainGone, explainTaken, takeName } from '@/server/users'
import { getOrg } from './find'
import { lockOrg } from './lock'
import { requireOwner } from './policy'
import type { RenameOrgOption } from './schema'
import { insertRedirect, selectName, updateOrg } from './store'

/**
 * Gives an organization another name, for its owners; the old one leads to it until another account takes it, which
 * others may after 30 days.
 * Throws notFound, forbidden, unprocessable for a name that is taken or cannot be one.
 */
export async function renameOrg(ctx: UserCtx, input: RenameOrgOption): Promise<void> {
  const found = await getOrg(ctx, input.org)
  requireOwner(found)
  const { id } = found.org
  const to = input.new_name
  checkName(to)
  try {
    await withTransaction(ctx.db, async trx => {
      await lockOrg(trx, id)
      // As it is now: another rename may have come first.
      const from = await selectName(trx, id)
      if (from === undefined) throw gone('organization')
      if (from === to) return
      await updateOrg(trx, id, { name: to })
      await takeName(ctx, trx, { id, name: to })
      if (from.toLowerCase() !== to.toLowerCase()) await insertRedirect(trx, from, id, ctx.clock.now())
      await recordEvent(trx, originOf(ctx), {
        kind: 'org.renamed',
        ownerId: id,
        facts: { orgId: id, from, to },
      })
    })
  } catch (error) {
    throw explainGone(explainTaken(error, to, ''))
  }
}
