import { type Subject, subjectOf } from '@/server/access'
import { isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import { getAccountOrMoved } from '@/server/users'
import { loadOrganization } from './load'
import {
  countOrgsOf,
  type MembershipFilter,
  type MembershipRow,
  selectMemberships,
  selectOrgsOf,
} from './membership-store'
import type { BrowsedOrganization, BrowseOrgsInput, Membership, Organization } from './schema'
import { countBrowsedOrgs, countOrgs, selectBrowsedOrgs, selectOrgs } from './store'
import { viewOrg } from './view'

/** A page of the organizations this caller may see, by name; administrators see all. */
export async function listOrgs(ctx: ServiceCtx, input: PageRequest): Promise<Page<Organization>> {
  const subject = subjectOf(ctx.caller)
  const [rows, total] = await Promise.all([selectOrgs(ctx.db, subject, input), countOrgs(ctx.db, subject)])
  const { page, limit } = input
  return { page, limit, total, items: rows.map(org => viewOrg(ctx, org)) }
}

/** A page of all organizations that fit, for administrators, each with how much it holds. */
export async function browseOrgs(ctx: AdminCtx, input: BrowseOrgsInput): Promise<Page<BrowsedOrganization>> {
  const rows = await selectBrowsedOrgs(ctx.db, input, input)
  const page = await pageFromRows(input, rows, () => countBrowsedOrgs(ctx.db, input))
  return {
    ...page,
    items: rows.map(({ id, name, full_name, visibility, ...row }) => ({
      id,
      name,
      full_name,
      visibility,
      members: row.member_count,
      teams: row.team_count,
      repositories: row.repository_count,
      created: wireTime(row.created_at),
    })),
  }
}

/** A page of the organizations the caller is in, by name. */
export async function listMyOrgs(ctx: UserCtx, input: PageRequest): Promise<Page<Organization>> {
  return await listOf(ctx, ctx.caller.user.id, input)
}

/**
 * A page of the organizations the person named is in, as far as the caller may know: organizations they may see,
 * where the membership is public or their own too.
 * @throws {DomainError} notFound; moved after a rename of the person.
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

/** Every organization the caller is in, by name, with their part in it: for menus, which have no pages. */
export async function listMyMemberships(ctx: UserCtx): Promise<Membership[]> {
  const rows = await selectMemberships(ctx.db, ctx.caller.user.id)
  return rows.map(row => viewMembership(ctx, row))
}

/**
 * The caller's part in one organization; null when they are no member.
 * @throws {DomainError} notFound; moved after a rename.
 */
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
