import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { getOrg, requireMember } from '@/server/orgs'
import { listOrgTeams, viewTeamsOf } from './list'
import { countTeams, selectTeams, type TeamFilter } from './list-store'
import type { Team } from './schema'

/** No name or description is longer: such a text is found nowhere, and costs nothing. */
const maxTextLength = 255

type SearchInput = PageRequest & { org: string; q?: string | undefined; include_desc: boolean }

/**
 * A page of an organization's teams with the text in their name or, unless told otherwise, their description.
 * Administrators see all, everybody else the teams they are in. Throws notFound, forbidden for who is no member.
 */
export async function searchTeams(ctx: UserCtx, input: SearchInput): Promise<Page<Team>> {
  const { user } = ctx.caller
  const part = (input.q ?? '').replaceAll('\0', '').trim()
  if (user.is_admin && part === '') return await listOrgTeams(ctx, input)
  const seen = await getOrg(ctx, input.org)
  requireMember(seen)
  const { page, limit } = input
  if (part.length > maxTextLength) return { items: [], total: 0, page, limit }
  const filter: TeamFilter = {
    orgId: seen.org.id,
    memberId: user.is_admin ? undefined : user.id,
    text: part === '' ? undefined : { part, inDescription: input.include_desc },
  }
  const rows = await selectTeams(ctx.db, filter, input)
  const found = await pageFromRows(input, rows, () => countTeams(ctx.db, filter))
  return { ...found, items: await viewTeamsOf(ctx, seen.org, rows) }
}
