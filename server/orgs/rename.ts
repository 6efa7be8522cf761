import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import {
  checkName,
  checkNewName,
  leaveName,
  mapForeignKeyError,
  mapUniqueError,
  takeName,
} from '@/server/users'
import type { OrganizationFor } from './load'
import type { RenameOrgOption } from './schema'
import { lockOrg, selectName, updateOrg } from './store'

/**
 * Renames an organization. The old name redirects to it until another account takes that name, which anyone
 * can do after 30 days.
 * @throws {DomainError} notFound if the organization is deleted concurrently; unprocessable if the name is
 * in use or not allowed.
 */
export async function renameOrg(
  ctx: UserCtx,
  found: OrganizationFor<'ownership'>,
  input: Pick<RenameOrgOption, 'new_name'>,
): Promise<void> {
  const { id } = found.org
  const to = input.new_name
  if (isAdmin(ctx.caller)) checkName(to)
  else checkNewName(to)
  try {
    await withTransaction(ctx.db, async trx => {
      await lockOrg(trx, id)
      // Read again under the lock, because a concurrent rename may have come first.
      const from = await selectName(trx, id)
      if (from === undefined) throw deleted('organization')
      if (from === to) return
      await updateOrg(trx, id, { name: to })
      await takeName(ctx, trx, { id, name: to })
      if (from.toLowerCase() !== to.toLowerCase()) await leaveName(trx, from, id, ctx.clock.now())
      await recordEvent(trx, originOf(ctx), {
        kind: 'org.renamed',
        ownerId: id,
        facts: { orgId: id, from, to },
      })
    })
  } catch (error) {
    throw mapForeignKeyError(mapUniqueError(error, to, ''))
  }
}
