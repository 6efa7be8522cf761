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

/** Returns a page of the organizations that are visible to the caller, sorted by name. */
export async function listOrgs(ctx: ServiceCtx, input: PageRequest): Promise<Page<Organization>> {
  const subject = subjectOf(ctx.caller)
  const [rows, total] = await Promise.all([selectOrgs(ctx.db, subject, input), countOrgs(ctx.db, subject)])
  const { page, limit } = input
  return { page, limit, total, items: rows.map(org => viewOrg(ctx, org)) }
}

/**
 * Returns a page of all organizations that match the filter, for administrators, with the number of their
 * members, teams, and repositories.
 */
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

/** Returns a page of the caller's organizations, sorted by name. */
export async function listMyOrgs(ctx: UserCtx, input: PageRequest): Promise<Page<Organization>> {
  return await listOf(ctx, ctx.caller.user.id, input)
}

/**
 * Returns a page of a person's organizations. It contains only organizations that are visible to the caller
 * and in which the membership is public or the caller is a member too. Administrators and the person
 * themselves see all of them.
 * @throws {DomainError} notFound if the person does not exist for the caller; moved if the person was
 * renamed.
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

/**
 * Returns all of the caller's organizations, sorted by name, with the caller's role in each. Used for menus,
 * which are not paginated.
 */
export async function listMyMemberships(ctx: UserCtx): Promise<Membership[]> {
  const rows = await selectMemberships(ctx.db, ctx.caller.user.id)
  return rows.map(row => viewMembership(ctx, row))
}

/**
 * Returns the caller's membership in an organization, or null if they are not a member.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
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
