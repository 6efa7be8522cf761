import { type Facts, originOf, recordEvent } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { endMemberships, viewOrg } from '@/server/orgs'
import { type Departure, departure, endedOf, maxPreviewNames } from '@/server/users'
import { changeTeams } from './change-teams'
import type { TeamFor } from './load'
import { deleteAllMembers, lockMemberships, selectFirstNames } from './members/store'
import { selectUnits } from './permissions/store'
import { selectRepositories } from './repositories/store'
import { deleteTeam, lockTeam } from './store'
import { viewTeam } from './view'

/**
 * Deletes a team. Members left without any team leave the organization; its repositories stay. Returns what ended.
 * @throws {DomainError} forbidden for the owners team, notFound when the team is deleted concurrently.
 */
export async function removeTeam(ctx: UserCtx, { org, team }: TeamFor<'ownership'>): Promise<Departure> {
  const { id } = team
  if (team.is_owners) {
    throw forbidden('the Owners team cannot be deleted: an organization needs its owners', {
      reason: { code: 'ownersTeamStays' },
    })
  }
  return await changeTeams(ctx, org.id, async trx => {
    const held = await lockTeam(trx, id)
    if (!held) throw gone('team')
    const repositories = await selectRepositories(trx, id, { page: 1, limit: maxPreviewNames })
    await lockMemberships(trx, team)
    const members = await deleteAllMembers(trx, team)
    const teamless = { ids: members, onlyWithoutTeam: true }
    const { left, collaborations } = await endMemberships(trx, ctx, org, teamless)
    const units = await selectUnits(trx, [id])
    await deleteTeam(trx, id)
    const shownOrg = viewOrg({ ...ctx, caller: anonymous }, org)
    const shown = viewTeam(held, units.get(id) ?? {}, shownOrg)
    const facts = { teamId: id, team: held.name, leftOrganization: left.length, shown: shown as Facts }
    await recordEvent(trx, originOf(ctx), { kind: 'team.deleted', ownerId: org.id, facts })
    return departure({
      teams: endedOf([team.name]),
      members: { total: members.length, names: await selectFirstNames(trx, members, maxPreviewNames) },
      people: {
        total: left.length,
        names: await selectFirstNames(
          trx,
          left.map(person => person.id),
          maxPreviewNames,
        ),
      },
      collaborations: endedOf(collaborations),
      repositories: {
        total: held.repository_count,
        names: repositories.map(({ name }) => `${org.name}/${name}`),
      },
    })
  })
}
