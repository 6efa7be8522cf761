import { isAdmin } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { loadOrganization } from './find'
import { type MembershipRow, selectMemberships } from './membership-store'
import type { Membership } from './schema'
import { viewOrg } from './view'

/** Every organization the caller is in, by name, with their part in it: for menus, which have no pages. */
export async function myMemberships(ctx: UserCtx): Promise<Membership[]> {
  const rows = await selectMemberships(ctx.db, ctx.caller.user.id)
  return rows.map(row => viewMembership(ctx, row))
}

/** The caller's part in one organization; null when they are no member. Throws notFound. */
export async function getMyMembership(ctx: UserCtx, name: string): Promise<Membership | null> {
  const { org } = await loadOrganization(ctx, name, 'view')
  const [row] = await selectMemberships(ctx.db, ctx.caller.user.id, org.id)
  return row ? viewMembership(ctx, row) : null
}

function viewMembership(ctx: UserCtx, row: MembershipRow): Membership {
  return {
    organization: viewOrg(ctx, row),
    is_owner: row.is_owner,
    is_public: row.is_public,
    may_create_repository: row.may_create || isAdmin(ctx.caller),
  }
}
