import { isBlockedBetween } from '@/server/blocks'
import { originOf, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { lockPeople } from '@/server/users'
import { changeTeams } from '../change-teams'
import type { TeamFor } from '../load'
import { lockTeam } from '../store'
import { getTeamPerson } from './person'
import { insertMember } from './store'

/**
 * Adds a person to a team and, if needed, to the team's organization. Does nothing if they are already in the
 * team.
 * @throws {DomainError} notFound if the name is unknown or hidden from the caller, or the team is deleted
 * concurrently; forbidden if there is a block, in either direction, between the person and the organization
 * or the caller.
 */
export async function addMember(ctx: UserCtx, found: TeamFor<'ownership'>, username: string): Promise<void> {
  const { org } = found
  const person = await getTeamPerson(ctx, org.id, username)
  const { user, actor = user } = ctx.caller
  await changeTeams(ctx, org.id, async trx => {
    await lockPeople(trx, person.id, [user.id, actor.id])
    const team = await lockTeam(trx, found.team.id)
    if (!team) throw deleted('team')
    if (await isBlockedBetween(trx, [org.id, user.id], person.id)) {
      throw forbidden('user is blocked', { field: 'username', reason: { code: 'blocked' } })
    }
    const { joinedTeam, joinedOrganization } = await insertMember(trx, team, person.id)
    if (!joinedTeam) return
    const member = { memberId: person.id, member: person.name }
    const joined = { kind: 'org.member_added', ownerId: org.id, facts: member } as const
    const facts = { teamId: team.id, team: team.name, ...member }
    await recordEvents(trx, originOf(ctx), [
      ...(joinedOrganization ? [joined] : []),
      { kind: 'team.member_added', ownerId: org.id, facts },
    ])
  })
}
