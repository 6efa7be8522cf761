import { type Account, findPersonByName } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { selectAccounts, viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { loadOrganization, type OrganizationWithAccess } from '../load'
import { membersShown } from '../policy'
import type { ListPeopleInput, OrganizationPerson } from '../schema'
import { selectCounts } from '../store'
import {
  countPeople,
  findMember,
  type MembersShown,
  type PeopleWanted,
  selectMemberIds,
  selectOwnersAmong,
  selectPeople,
} from './store'

/**
 * Returns a page of an organization's members, sorted by full name, then username. Members and administrators
 * see all members; other callers see only public members.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
 */
export async function listMembers(
  ctx: ServiceCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  const found = await loadOrganization(ctx, input.org, 'view')
  return await list(ctx, found, membersShown(ctx.caller, found), input)
}

/**
 * Returns a page of an organization's public members, sorted by full name, then username.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
 */
export async function listPublicMembers(
  ctx: ServiceCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  return await list(ctx, await loadOrganization(ctx, input.org, 'view'), 'public', input)
}

/**
 * Returns a page of the visible members that match the filter, each with their role. For callers who see only
 * public members, the role is null and the role filter is ignored.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
 */
export async function listPeople(ctx: ServiceCtx, input: ListPeopleInput): Promise<Page<OrganizationPerson>> {
  const found = await loadOrganization(ctx, input.org, 'view')
  const { db } = ctx
  const { id } = found.org
  const shown = membersShown(ctx.caller, found)
  const wanted: PeopleWanted = { ...input, shown, role: shown === 'all' ? input.role : 'all' }
  const rows = await selectPeople(db, id, wanted, input)
  const page = await pageFromRows(input, rows, () => countPeople(db, id, wanted))
  const ids = rows.map(row => row.id)
  const owners = shown === 'all' ? await selectOwnersAmong(db, id, ids) : undefined
  const roleOf = (row: Account) => (owners?.has(row.id) ? 'owner' : 'member')
  return { ...page, items: rows.map(row => ({ ...viewUser(ctx, row), role: owners ? roleOf(row) : null })) }
}

async function list(
  ctx: ServiceCtx,
  { org }: OrganizationWithAccess,
  shown: MembersShown,
  { page, limit }: PageRequest,
): Promise<Page<User>> {
  const counts = await selectCounts(ctx.db, org.id)
  if (!counts) throw notFound()
  const total = shown === 'all' ? counts.member_count : counts.public_member_count
  const ids = await selectMemberIds(ctx.db, org.id, shown, { page, limit })
  const accounts = await selectAccounts(ctx.db, ids)
  const members = ids.flatMap(id => accounts.get(id) ?? [])
  return { page, limit, total, items: members.map(one => viewUser(ctx, one)) }
}

interface MemberInput {
  org: string
  username: string
}

/**
 * Checks that a person is a member of the organization. For callers who see only public members, the
 * membership must be public.
 * @throws {DomainError} notFound, with the same message for an unknown person and for someone who is not a
 * visible member; moved if the organization was renamed.
 */
export async function checkMember(ctx: ServiceCtx, input: MemberInput): Promise<void> {
  const found = await loadOrganization(ctx, input.org, 'view')
  await check(ctx, found, input.username, membersShown(ctx.caller, found))
}

/**
 * Checks that a person is a public member of the organization.
 * @throws {DomainError} notFound if they are not; moved if the organization was renamed.
 */
export async function checkPublicMember(ctx: ServiceCtx, input: MemberInput): Promise<void> {
  await check(ctx, await loadOrganization(ctx, input.org, 'view'), input.username, 'public')
}

async function check(
  ctx: ServiceCtx,
  { org }: OrganizationWithAccess,
  username: string,
  shown: MembersShown,
): Promise<void> {
  const account = await findPersonByName(ctx.db, username)
  const member = account && (await findMember(ctx.db, org.id, account.id))
  if (!member || (shown === 'public' && !member.is_public)) throw notFound()
}
