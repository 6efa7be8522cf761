import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { loadOrganization, viewOrg } from '@/server/orgs'
import { selectAccounts } from '@/server/users'
import { countOrgTeams, countTeams, selectOrgTeams, selectTeams } from './list-store'
import type { Team } from './schema'
import type { TeamRow } from './store'
import { selectUnits } from './unit-store'
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
