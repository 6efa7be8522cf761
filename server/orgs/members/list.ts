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
 * A page of an organization's members by full name, then name: all of them to members and administrators, to others
 * those who are public.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listMembers(
  ctx: ServiceCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  const found = await loadOrganization(ctx, input.org, 'view')
  return await list(ctx, found, membersShown(ctx.caller, found), input)
}

/**
 * A page of an organization's public members by full name, then name.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function listPublicMembers(
  ctx: ServiceCtx,
  input: PageRequest & { org: string },
): Promise<Page<User>> {
  return await list(ctx, await loadOrganization(ctx, input.org, 'view'), 'public', input)
}

/**
 * A page of the members that `listMembers` shows and that fit, each with their role; null for viewers who do not see all
 * members, and who cannot choose by it.
 * @throws {DomainError} notFound; moved after a rename.
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
 * Requires that the person named is in the organization; publicly, where the caller does not see all members.
 * @throws {DomainError} notFound, with one message for every reason; moved after a rename.
 */
export async function checkMember(ctx: ServiceCtx, input: MemberInput): Promise<void> {
  const found = await loadOrganization(ctx, input.org, 'view')
  await check(ctx, found, input.username, membersShown(ctx.caller, found))
}

/**
 * Requires that the person named is publicly in the organization.
 * @throws {DomainError} notFound; moved after a rename.
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
