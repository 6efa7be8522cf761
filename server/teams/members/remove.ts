import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { endMemberships, requireAnotherOwner, requireOwner } from '@/server/orgs'
import { type Departure, departure, endedOf } from '@/server/users'
import { changeTeams } from '../change-teams'
import { loadTeam } from '../load'
import { getTeamPerson } from './person'
import { deleteMember, lockMemberships } from './store'

/**
 * Removes a person from a team, for owners of its organization and for the person themselves. With their last team they
 * leave the organization too. Returns what ended, which is nothing for a person who is not in the team.
 * @throws {DomainError} notFound outside the organization and for an unknown or hidden name, forbidden for members who
 * do not own the organization, unprocessable for its last owner.
 */
export async function removeMember(
  ctx: UserCtx,
  input: { id: number; username: string },
): Promise<Departure> {
  const found = await loadTeam(ctx, input.id, 'orgMembership')
  const { team, org } = found
  const leaves = input.username.toLowerCase() === ctx.caller.user.name.toLowerCase()
  if (!leaves) requireOwner(found)
  const person = leaves ? ctx.caller.user : await getTeamPerson(ctx, org.id, input.username)
  return await changeTeams(ctx, org.id, async trx => {
    if (team.is_owners) await requireAnotherOwner(trx, org.id, person.id)
    await lockMemberships(trx, team, person.id)
    if (!(await deleteMember(trx, team, person.id))) return departure()
    const one = { ids: [person.id], onlyWithoutTeam: true }
    const { left, collaborations } = await endMemberships(trx, ctx, org, one)
    const facts = {
      teamId: team.id,
      team: team.name,
      memberId: person.id,
      member: person.name,
      leftOrganization: left.length > 0,
    }
    await recordEvent(trx, originOf(ctx), { kind: 'team.member_removed', ownerId: org.id, facts })
    return departure({
      teams: endedOf([team.name]),
      people: endedOf(left.length > 0 ? [person.name] : []),
      organizations: endedOf(left.length > 0 ? [org.name] : []),
      collaborations: endedOf(collaborations),
    })
  })
}
