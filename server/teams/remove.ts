import { type Facts, type NewEvent, originOf, recordEvents } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { endMemberships, loadOrganization, viewOrg } from '@/server/orgs'
import { endedOf, maxPreviewNames, type Removal, removal } from '@/server/users'
import { changeTeams } from './change-teams'
import type { TeamFor } from './load'
import { deleteAllMembers, lockMemberships, selectFirstNames } from './members/store'
import { selectUnits } from './permissions/store'
import { selectFirstRepositories } from './repositories/store'
import { deleteTeams, lockTeams } from './store'
import { viewTeam } from './view'

/**
 * Deletes a team. Members who are left without any team leave the organization; the team's repositories are
 * kept. Returns the memberships and collaborations that ended.
 * @throws {DomainError} forbidden for the Owners team; notFound if the team is deleted concurrently.
 */
export async function removeTeam(ctx: UserCtx, { org, team }: TeamFor<'ownership'>): Promise<Removal> {
  const ended = await remove(ctx, org, [team.id])
  if (ended.teams.total === 0) throw deleted('team')
  return ended
}

/**
 * Deletes several teams of an organization. The caller must own it. IDs that are not teams of the
 * organization are skipped. Members who are left without any team leave the organization; the teams'
 * repositories are kept. Returns the memberships and collaborations that ended.
 * @throws {DomainError} notFound if the organization does not exist for the caller; forbidden if the caller
 * does not own it, or the Owners team is among the teams.
 */
export async function removeTeams(
  ctx: UserCtx,
  input: { org: string; ids: readonly number[] },
): Promise<Removal> {
  const { org } = await loadOrganization(ctx, input.org, 'ownership')
  return await remove(ctx, org, input.ids)
}

async function remove(ctx: UserCtx, org: Account, wanted: readonly number[]): Promise<Removal> {
  return await changeTeams(ctx, org.id, async trx => {
    const teams = await lockTeams(trx, org.id, wanted)
    if (teams.length === 0) return removal()
    if (teams.some(team => team.is_owners)) {
      throw forbidden('the Owners team cannot be deleted: an organization needs its owners', {
        reason: { code: 'ownersTeamStays' },
      })
    }
    const ids = teams.map(({ id }) => id)
    const repositories = await selectFirstRepositories(trx, ids, maxPreviewNames)
    await lockMemberships(trx, org.id, ids)
    const memberships = await deleteAllMembers(trx, ids)
    const members = [...new Set(memberships.map(({ user_id }) => user_id))]
    const teamless = { ids: members, onlyWithoutTeam: true }
    const { left, collaborations } = await endMemberships(trx, ctx, org, teamless)
    const leftIds = new Set(left.map(({ id }) => id))
    const units = await selectUnits(trx, ids)
    await deleteTeams(trx, ids)
    const shownOrg = viewOrg({ ...ctx, caller: anonymous }, org)
    await recordEvents(
      trx,
      originOf(ctx),
      teams.map((team): NewEvent => {
        const { id, name } = team
        const leaving = memberships.filter(({ team_id, user_id }) => team_id === id && leftIds.has(user_id))
        const shown = viewTeam(team, units.get(id) ?? {}, shownOrg)
        const facts = { teamId: id, team: name, leftOrganization: leaving.length, shown: shown as Facts }
        return { kind: 'team.deleted', ownerId: org.id, facts }
      }),
    )
    return removal({
      teams: endedOf(teams.map(({ name }) => name)),
      members: { total: members.length, names: await selectFirstNames(trx, members, maxPreviewNames) },
      people: {
        total: left.length,
        names: await selectFirstNames(trx, [...leftIds], maxPreviewNames),
      },
      collaborations: endedOf(collaborations),
      repositories: {
        total: repositories.total,
        names: repositories.names.map(name => `${org.name}/${name}`),
      },
    })
  })
}
