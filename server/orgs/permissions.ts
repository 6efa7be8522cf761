import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { atLeast, highest } from '@/server/kernel/permissions/access-mode'
import { askerNamed } from '@/server/kernel/permissions/asker'
import { organizationAccess } from '@/server/kernel/permissions/organization-access'
import { getVisibleAccount } from '@/server/users'
import { getOrg } from './find'
import { selectModes } from './membership-store'
import type { OrganizationPermissions } from './schema'

/**
 * What somebody may do in an organization: for themselves and administrators. A site administrator may do everything.
 * Throws notFound for a name absent or hidden, forbidden for anybody else's.
 */
export async function orgPermissions(
  ctx: UserCtx,
  input: { username: string; org: string },
): Promise<OrganizationPermissions> {
  const account = await getVisibleAccount(ctx, input.username)
  if (account.kind !== 'person') throw notFound()
  if (!isSelf(ctx.caller, account.id) && !isAdmin(ctx.caller)) {
    throw forbidden('only a user and administrators may ask what the user may do')
  }
  const { org } = await getOrg(ctx, input.org)
  const access = await organizationAccess(ctx.db, askerNamed(account), org)
  const mode = access.mayManage ? 'owner' : highest(await selectModes(ctx.db, org.id, account.id))
  return {
    is_owner: access.mayManage,
    is_admin: atLeast(mode, 'admin'),
    can_write: atLeast(mode, 'write'),
    can_read: atLeast(mode, 'read'),
    can_create_repository: access.mayCreateRepository,
  }
}
