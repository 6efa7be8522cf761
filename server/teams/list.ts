import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { loadOrganization, viewOrg } from '@/server/orgs'
import { selectAccounts } from '@/server/users'
import { loadTeam } from './load'
import { selectUnits } from './permissions/store'
import type { BrowsedTeam, Team } from './schema'
import {
  countOrgTeams,
  countTeams,
  findTeamByName,
  selectOrgTeams,
  selectTeams,
  selectTeamsOfMember,
  type TeamFilter,
  type TeamRow,
} from './store'
import { viewTeam } from './view'

/** A page of an organization's teams, for its members. Throws notFound, forbidden for everybody else. */
export async function listOrgTeams(ctx: UserCtx, input: PageRequest & { org: string }): Promise<Page<Team>> {
  const found = await loadOrganization(ctx, input.org, 'membership')
  const { page, limit } = input
  const rows = await selectOrgTeams(ctx.db, found.org.id, input)
  const total = await countOrgTeams(ctx.db, found.org.id)
  return { items: await viewTeamsOf(ctx, found.org, rows), total, page, limit }
}

/** A page of the caller's teams in all organizations. */
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

/** Teams of one organization as the wire shows them. */
export async function viewTeamsOf(ctx: UserCtx, org: Account, rows: readonly TeamRow[]): Promise<Team[]> {
  return await viewTeams(ctx, new Map([[org.id, org]]), rows)
}

async function viewTeams(
  ctx: UserCtx,
  orgs: ReadonlyMap<number, Account>,
  rows: readonly TeamRow[],
): Promise<Team[]> {
  const units = await selectUnits(
    ctx.db,
    rows.map(row => row.id),
  )
  return rows.flatMap(row => {
    const org = orgs.get(row.org_id)
    if (!org) return []
    return [viewTeam(row, units.get(row.id) ?? {}, viewOrg(ctx, org))]
  })
}

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

/** A team, for whoever may look into it. Throws as `loadTeam`. */
export async function showTeam(ctx: UserCtx, id: number): Promise<Team> {
  const { team, org } = await loadTeam(ctx, id, 'membership')
  const units = (await selectUnits(ctx.db, [id])).get(id) ?? {}
  return viewTeam(team, units, viewOrg(ctx, org))
}

/** A team by its name, in any case, for whoever may look into it. Throws as `loadOrganization` and `loadTeam`. */
export async function showTeamByName(ctx: UserCtx, path: { org: string; team: string }): Promise<Team> {
  const { org } = await loadOrganization(ctx, path.org, 'view')
  const team = await findTeamByName(ctx.db, org.id, path.team)
  if (!team) throw notFound()
  return await showTeam(ctx, team.id)
}
