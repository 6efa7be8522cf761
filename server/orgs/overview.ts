import { countRepositories, subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { loadOrganization } from './find'
import { membersShown } from './policy'
import type { OrganizationOverview } from './schema'
import { selectCounts } from './store'
import { viewOrg } from './view'

/** What an organization's page opens with. The counts are of what the caller would find. Throws notFound, moved. */
export async function orgOverview(ctx: ServiceCtx, name: string): Promise<OrganizationOverview> {
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
