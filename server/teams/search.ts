import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { loadOrganization } from '@/server/orgs'
import { listOrgTeams, viewTeamsOf } from './list'
import { countTeams, selectTeams, selectTeamsOfMember, type TeamFilter } from './list-store'
import type { BrowsedTeam, Team } from './schema'

/** No name or description is longer: such a text is found nowhere, and costs nothing. */
const maxTextLength = 255

type SearchInput = PageRequest & { org: string; q?: string | undefined; include_desc: boolean }

/**
 * A page of an organization's teams with the text in their name or description, each with whether the caller is in it.
 * Throws notFound, and forbidden for callers who are no members.
 */
export async function browseTeams(
  ctx: UserCtx,
  input: PageRequest & { org: string; q?: string | undefined },
): Promise<Page<BrowsedTeam>> {
  const { items, ...page } = await findTeams(ctx, input, { onlyOwn: false, inDescription: true })
  const own = await selectTeamsOfMember(
    ctx.db,
    ctx.caller.user.id,
    items.map(team => team.id),
  )
  return { ...page, items: items.map(team => ({ ...team, is_member: own.has(team.id) })) }
}

/**
 * A page of an organization's teams with the text in their name or, unless told otherwise, their description.
 * Administrators see all, everybody else the teams they are in. Throws notFound, and forbidden for callers who are no
 * members.
 */
export function searchTeams(ctx: UserCtx, input: SearchInput): Promise<Page<Team>> {
  return findTeams(ctx, input, { onlyOwn: !ctx.caller.user.is_admin, inDescription: input.include_desc })
}

async function findTeams(
  ctx: UserCtx,
  input: PageRequest & { org: string; q?: string | undefined },
  { onlyOwn, inDescription }: { onlyOwn: boolean; inDescription: boolean },
): Promise<Page<Team>> {
  const part = (input.q ?? '').replaceAll('\0', '').trim()
  if (!onlyOwn && part === '') return await listOrgTeams(ctx, input)
  const seen = await loadOrganization(ctx, input.org, 'membership')
  const { page, limit } = input
  if (part.length > maxTextLength) return { items: [], total: 0, page, limit }
  const filter: TeamFilter = {
    orgId: seen.org.id,
    memberId: onlyOwn ? ctx.caller.user.id : undefined,
    text: part === '' ? undefined : { part, inDescription },
  }
  const rows = await selectTeams(ctx.db, filter, input)
  const found = await pageFromRows(input, rows, () => countTeams(ctx.db, filter))
  return { ...found, items: await viewTeamsOf(ctx, seen.org, rows) }
}
