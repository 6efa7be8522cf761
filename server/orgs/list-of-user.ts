import { type Subject, subjectOf } from '@/server/access'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { getAccountOrMoved } from '@/server/users'
import { countOrgsOf, type MembershipFilter, selectOrgsOf } from './membership-store'
import type { Organization } from './schema'
import { viewOrg } from './view'

/** A page of the organizations the caller is in, by name. */
export async function listMyOrgs(ctx: UserCtx, input: PageRequest): Promise<Page<Organization>> {
  return await listOf(ctx, ctx.caller.user.id, input)
}

/**
 * A page of the organizations the person named is in, as far as the caller may know: organizations they may see, where
 * the membership is public or their own too. Throws notFound.
 */
export async function listOrgsOf(
  ctx: ServiceCtx,
  input: PageRequest & { username: string },
): Promise<Page<Organization>> {
  const account = await getAccountOrMoved(ctx, input.username)
  return await listOf(ctx, account.id, input)
}

async function listOf(ctx: ServiceCtx, userId: number, input: PageRequest): Promise<Page<Organization>> {
  const subject = subjectOf(ctx.caller)
  const filter = { subject, memberships: membershipsFor(subject, userId) }
  const rows = await selectOrgsOf(ctx.db, userId, filter, input)
  const page = await pageFromRows(input, rows, () => countOrgsOf(ctx.db, userId, filter))
  return { ...page, items: page.items.map(org => viewOrg(ctx, org)) }
}

function membershipsFor(subject: Subject, userId: number): MembershipFilter['memberships'] {
  if (subject.kind === 'anonymous' || subject.publicOnly) return 'public'
  return subject.isAdmin || subject.id === userId ? 'all' : { sharedWith: subject.id }
}
