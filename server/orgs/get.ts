import { countRepositories, organizationAccess, subjectFor, subjectOf } from '@/server/access'
import { atLeast, highest } from '@/server/access/access-mode'
import { findAccountByName } from '@/server/kernel/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getVisibleAccount, nameFreeAt } from '@/server/users'
import { loadOrganization } from './load'
import { selectModes } from './membership-store'
import { membersShown } from './policy'
import type {
  AccountNameObstacle,
  Organization,
  OrganizationOverview,
  OrganizationPermissions,
} from './schema'
import { selectCounts } from './store'
import { viewOrg } from './view'

/**
 * Returns an organization by name.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
 */
export async function showOrg(ctx: ServiceCtx, name: string): Promise<Organization> {
  const { org } = await loadOrganization(ctx, name, 'view')
  return viewOrg(ctx, org)
}

/**
 * Returns the data of an organization's overview page. The counts include only what is visible to the caller.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
 */
export async function getOrgOverview(ctx: ServiceCtx, name: string): Promise<OrganizationOverview> {
  const found = await loadOrganization(ctx, name, 'view')
  const { org, access } = found
  const counts = await selectCounts(ctx.db, org.id)
  if (!counts) throw notFound()
  const inside = membersShown(ctx.caller, found) === 'all'
  return {
    organization: viewOrg(ctx, org),
    access: {
      is_member: access.isMember,
      is_owner: access.isOwner,
      may_manage: access.mayManage,
      may_create_repository: access.mayCreateRepository,
    },
    counts: {
      repositories: await countRepositories(ctx.db, subjectOf(ctx.caller), found, counts),
      members: inside ? counts.member_count : counts.public_member_count,
      teams: inside ? counts.team_count : 0,
    },
  }
}

/**
 * Returns a person's permissions in an organization. They come only from the person's teams; site
 * administrator rights do not count.
 * @throws {DomainError} notFound if the person or the organization is absent or hidden from the caller.
 */
export async function getOrgPermissions(
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

/**
 * Returns the reason why the caller cannot give an account this case-insensitive name, or null if they can.
 * The reason is not confidential, because an attempt to use the name would reveal it too.
 */
export async function findAccountNameObstacle(
  ctx: UserCtx,
  name: string,
): Promise<AccountNameObstacle | null> {
  if (await findAccountByName(ctx.db, name)) return { code: 'nameTaken', what: 'account', name }
  const freeAt = await nameFreeAt(ctx, name)
  return freeAt === undefined ? null : { code: 'nameHeld', name, freeAt }
}
