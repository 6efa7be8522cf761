import type { ServiceCtx } from '@/server/kernel/ctx'
import { loadOrganization } from './find'
import type { Organization } from './schema'
import { viewOrg } from './view'

/** Shows an organization. Throws notFound for one absent or hidden, moved after a rename. */
export async function showOrg(ctx: ServiceCtx, name: string): Promise<Organization> {
  const { org } = await loadOrganization(ctx, name, 'view')
  return viewOrg(ctx, org)
}
