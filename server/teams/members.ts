import { seesOnlyPublic } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { selectAccounts, viewUser } from '@/server/users'
import type { User } from '@/server/users/schema'
import { loadTeam } from './find'
import { countPublicMembers, selectMemberIds, selectPublicMembers } from './member-list-store'
import { isPublicMember, isTeamMember } from './member-store'
import { getTeamPerson } from './person'

/**
 * A page of a team's members, for everybody in its organization; a token limited to public data sees those who show
 * that they are in it. Throws as `loadTeam`.
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

/** One member of a team. @throws {DomainError} as `loadTeam` and `getTeamPerson`, and notFound for who is not in it. */
export async function getMember(ctx: UserCtx, input: { id: number; username: string }): Promise<User> {
  const { team, org } = await loadTeam(ctx, input.id, 'orgMembership')
  const account = await getTeamPerson(ctx, org.id, input.username)
  const isShown = seesOnlyPublic(ctx.caller) ? isPublicMember : isTeamMember
  if (!(await isShown(ctx.db, team.id, account.id))) throw notFound()
  return viewUser(ctx, account)
}
