import { subjectOf } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Page, PageRequest } from '@/server/kernel/pagination'
import type { Organization } from './schema'
import { countOrgs, selectOrgs } from './store'
import { viewOrg } from './view'

/** A page of the organizations this caller may see, by name; administrators see all. */
export async function listOrgs(ctx: ServiceCtx, input: PageRequest): Promise<Page<Organization>> {
  const subject = subjectOf(ctx.caller)
  const [rows, total] = await Promise.all([selectOrgs(ctx.db, subject, input), countOrgs(ctx.db, subject)])
  const { page, limit } = input
  return { page, limit, total, items: rows.map(org => viewOrg(ctx, org)) }
}
