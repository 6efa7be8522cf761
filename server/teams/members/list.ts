import { seesOnlyPublic } from '@/server/access'
import { selectBlockedBetween } from '@/server/blocks'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { findPeople, selectAccounts, viewUser } from '@/server/users'
import type { Candidate, User } from '@/server/users/schema'
import { loadTeam, type TeamFor } from '../load'
import type { BrowseMembersInput } from '../schema'
import { getTeamPerson } from './person'
import {
  countMatchingMembers,
  countPublicMembers,
  isPublicMember,
  isTeamMember,
  selectMatchingMembers,
  selectMemberIds,
  selectMembersAmong,
  selectPublicMembers,
} from './store'

/**
 * Returns a page of a team's members. The caller must be a member of the team's organization or a site
 * administrator. For a public-only token, the page contains only members whose membership in the organization
 * is public.
 * @throws {DomainError} notFound if the team does not exist for the caller.
 */
export async function listMembers(ctx: UserCtx, input: PageRequest & { id: number }): Promise<Page<User>> {
  const { team } = await loadTeam(ctx, input.id, 'orgMembership')
  const { page, limit } = input
  const show = (account: Account) => viewUser(ctx, account)
  if (seesOnlyPublic(ctx.caller)) {
    const rows = await selectPublicMembers(ctx.db, team.id, input)
    const found = await pageFromRows(input, rows, () => countPublicMembers(ctx.db, team.id))
    return { ...found, items: rows.map(show) }
  }
  const ids = await selectMemberIds(ctx.db, team.id, input)
  const accounts = await selectAccounts(ctx.db, ids)
  return { items: ids.flatMap(id => accounts.get(id) ?? []).map(show), total: team.member_count, page, limit }
}

/**
 * Returns a page of the team's members whose username or full name contains the text. The caller must be a
 * member of the team's organization or a site administrator.
 * @throws {DomainError} notFound if the team does not exist for the caller.
 */
export async function browseMembers(ctx: UserCtx, input: BrowseMembersInput): Promise<Page<User>> {
  const { team } = await loadTeam(ctx, input.id, 'orgMembership')
  const rows = await selectMatchingMembers(ctx.db, team.id, input)
  const page = await pageFromRows(input, rows, () => countMatchingMembers(ctx.db, team.id, input.q))
  return { ...page, items: rows.map(account => viewUser(ctx, account)) }
}

/**
 * Returns one member of a team. The caller must be a member of the team's organization or a site
 * administrator.
 * @throws {DomainError} notFound if the team does not exist for the caller, the name is unknown, or the
 * person is not in the team.
 */
export async function getMember(ctx: UserCtx, input: { id: number; username: string }): Promise<User> {
  const { team, org } = await loadTeam(ctx, input.id, 'orgMembership')
  const account = await getTeamPerson(ctx, org.id, input.username)
  const isShown = seesOnlyPublic(ctx.caller) ? isPublicMember : isTeamMember
  if (!(await isShown(ctx.db, team.id, account.id))) throw notFound()
  return viewUser(ctx, account)
}

/**
 * Returns suggestions, as the user types, for people to add to a team. Each suggestion includes the reason,
 * if any, why the person cannot be added.
 */
export async function listTeamCandidates(
  ctx: UserCtx,
  { team, org }: TeamFor<'ownership'>,
  text: string,
): Promise<Candidate[]> {
  const found = await findPeople(ctx, text)
  const ids = found.map(({ id }) => id)
  const members = await selectMembersAmong(ctx.db, team.id, ids)
  const blocked = await selectBlockedBetween(ctx.db, [org.id, ctx.caller.user.id], ids)
  return found.map(account => ({
    user: viewUser(ctx, account),
    obstacle: members.has(account.id) ? 'member' : blocked.has(account.id) ? 'blocked' : null,
  }))
}
