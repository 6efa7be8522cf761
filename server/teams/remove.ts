import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { endMemberships } from '@/server/orgs'
import { type Departure, departure, endedOf, maxPreviewNames } from '@/server/users'
import { changeTeams } from './change-teams'
import type { TeamFor } from './load'
import { deleteAllMembers, lockMemberships, selectFirstNames } from './members/store'
import { selectRepositories } from './repositories/store'
import { deleteTeam, lockTeam } from './store'

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
    await deleteTeam(trx, id)
    const facts = { teamId: id, team: team.name, leftOrganization: left.length }
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
