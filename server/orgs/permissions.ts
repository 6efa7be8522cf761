import { organizationAccess, subjectFor } from '@/server/access'
import { atLeast, highest } from '@/server/access/access-mode'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getVisibleAccount } from '@/server/users'
import { loadOrganization } from './find'
import { selectModes } from './membership-store'
import type { OrganizationPermissions } from './schema'

/**
 * What somebody may do in an organization by their teams, for whoever may see both; what administrators of the site may
 * do besides does not count. Throws notFound for a name absent or hidden.
 */
export async function orgPermissions(
  ctx: UserCtx,
  input: { username: string; org: string },
): Promise<OrganizationPermissions> {
  const account = await getVisibleAccount(ctx, input.username)
  if (account.kind !== 'person') throw notFound()
  const { org } = await loadOrganization(ctx, input.org, 'view')
  const access = await organizationAccess(ctx.db, subjectFor({ ...account, is_admin: false }), org)
  const mode = access.isOwner ? 'owner' : highest(await selectModes(ctx.db, org.id, account.id))
  return {
    is_owner: access.isOwner,
    is_admin: atLeast(mode, 'admin'),
    can_write: atLeast(mode, 'write'),
    can_read: atLeast(mode, 'read'),
    can_create_repository: access.mayCreateRepository,
  }
}
