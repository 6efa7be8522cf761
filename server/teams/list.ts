import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { loadOrganization, viewOrg } from '@/server/orgs'
import { selectAccounts } from '@/server/users'
import { loadTeam } from './load'
import { selectUnits } from './permissions/store'
import type { BrowsedTeam, BrowseTeamsInput, Team } from './schema'
import {
  countOrgTeams,
  countTeams,
  findTeamByName,
  selectOrgTeams,
  selectTeams,
  selectTeamsOfMember,
  type TeamFilter,
} from './store'
import { viewTeam, viewTeams, viewTeamsOf } from './view'

/**
 * Returns a page of an organization's teams. The caller must be a member of the organization or a site
 * administrator.
 * @throws {DomainError} notFound if the organization does not exist or is hidden from the caller; forbidden
 * if the caller is neither a member nor a site administrator.
 */
export async function listOrgTeams(ctx: UserCtx, input: PageRequest & { org: string }): Promise<Page<Team>> {
  const found = await loadOrganization(ctx, input.org, 'membership')
  const { page, limit } = input
  const rows = await selectOrgTeams(ctx.db, found.org.id, input)
  const total = await countOrgTeams(ctx.db, found.org.id)
  return { items: await viewTeamsOf(ctx, found.org, rows), total, page, limit }
}

/** Returns a page of all teams that the caller is a member of, across organizations. */
export async function listMyTeams(ctx: UserCtx, input: PageRequest): Promise<Page<Team>> {
  const filter = { memberId: ctx.caller.user.id }
  const rows = await selectTeams(ctx.db, filter, input)
  const page = await pageFromRows(input, rows, () => countTeams(ctx.db, filter))
  const orgs = await selectAccounts(
    ctx.db,
    rows.map(row => row.org_id),
  )
  return { ...page, items: await viewTeams(ctx, orgs, rows) }
}

// Names and descriptions are at most this long, so a longer search text cannot match.
const maxTextLength = 255

type SearchInput = PageRequest & { org: string; q?: string | undefined; include_desc: boolean }

/**
 * Returns a page of an organization's teams whose name or description contains the text, each with its size
 * and whether the caller is a member of it. An empty text matches every team.
 * @throws {DomainError} notFound if the organization does not exist or is hidden from the caller; forbidden
 * if the caller is neither a member nor a site administrator.
 */
export async function browseTeams(ctx: UserCtx, input: BrowseTeamsInput): Promise<Page<BrowsedTeam>> {
  const { org } = await loadOrganization(ctx, input.org, 'membership')
  const { q, membership, sort, page, limit } = input
  const me = ctx.caller.user.id
  const filter: TeamFilter = {
    orgId: org.id,
    memberId: membership === 'mine' ? me : undefined,
    text: q === '' ? undefined : { part: q, inDescription: true },
  }
  const isNarrowed = q !== '' || membership === 'mine'
  const found = isNarrowed
    ? await pageFromRows(input, await selectTeams(ctx.db, filter, input, sort), () =>
        countTeams(ctx.db, filter),
      )
    : {
        items: await selectOrgTeams(ctx.db, org.id, input, sort),
        total: await countOrgTeams(ctx.db, org.id),
        page,
        limit,
      }
  const own = await selectTeamsOfMember(
    ctx.db,
    me,
    found.items.map(row => row.id),
  )
  const shown = new Map((await viewTeamsOf(ctx, org, found.items)).map(team => [team.id, team]))
  const items = found.items.flatMap(({ id, member_count, repository_count }): BrowsedTeam[] => {
    const team = shown.get(id)
    return team ? [{ ...team, is_member: own.has(id), member_count, repository_count }] : []
  })
  return { ...found, items }
}

/**
 * Returns a page of an organization's teams whose name or, with `include_desc`, description contains the
 * text. Site administrators can find all teams, other callers only the teams that they are in.
 * @throws {DomainError} notFound if the organization does not exist or is hidden from the caller; forbidden
 * if the caller is neither a member nor a site administrator.
 */
export async function searchTeams(ctx: UserCtx, input: SearchInput): Promise<Page<Team>> {
  const onlyOwn = !ctx.caller.user.is_admin
  const part = (input.q ?? '').trim()
  if (!onlyOwn && part === '') return await listOrgTeams(ctx, input)
  const seen = await loadOrganization(ctx, input.org, 'membership')
  const { page, limit } = input
  if (part.length > maxTextLength) return { items: [], total: 0, page, limit }
  const filter: TeamFilter = {
    orgId: seen.org.id,
    memberId: onlyOwn ? ctx.caller.user.id : undefined,
    text: part === '' ? undefined : { part, inDescription: input.include_desc },
  }
  const rows = await selectTeams(ctx.db, filter, input)
  const found = await pageFromRows(input, rows, () => countTeams(ctx.db, filter))
  return { ...found, items: await viewTeamsOf(ctx, seen.org, rows) }
}

/**
 * Returns a team. The caller must be a member of the team, an owner of its organization, or a site
 * administrator.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller is a
 * member of the organization but not of the team.
 */
export async function showTeam(ctx: UserCtx, id: number): Promise<Team> {
  const { team, org } = await loadTeam(ctx, id, 'membership')
  const units = (await selectUnits(ctx.db, [id])).get(id) ?? {}
  return viewTeam(team, units, viewOrg(ctx, org))
}

/**
 * Returns a team by its case-insensitive name. The caller must be a member of the team, an owner of its
 * organization, or a site administrator.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller is a
 * member of the organization but not of the team.
 */
export async function showTeamByName(ctx: UserCtx, path: { org: string; team: string }): Promise<Team> {
  const { org } = await loadOrganization(ctx, path.org, 'view')
  const team = await findTeamByName(ctx.db, org.id, path.team)
  if (!team) throw notFound()
  return await showTeam(ctx, team.id)
}
