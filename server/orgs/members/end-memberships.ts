import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { type NewEvent, originOf, recordEvents } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { endCollaborations } from '@/server/users'
import { deleteMembers, type MembersToRemove, selectTeamsAmong } from './store'

/**
 * People who left an organization, the teams they left with it, and the `owner/name` of repositories on which
 * their collaborations ended.
 */
interface EndedMemberships {
  left: { id: number; name: string }[]
  teams: string[]
  collaborations: string[]
}

/**
 * Removes people from an organization and ends their direct collaborations on its repositories, including
 * those on repositories that they created there. Records an event for each ended membership, team membership,
 * and collaboration.
 */
export async function endMemberships(
  trx: Transaction<Database>,
  ctx: UserCtx,
  org: Account,
  members: MembersToRemove,
): Promise<EndedMemberships> {
  const teams = members.onlyWithoutTeam ? [] : await selectTeamsAmong(trx, org.id, members.ids)
  const left = await deleteMembers(trx, org.id, members)
  const names = new Map(left.map(({ id, name }) => [id, name]))
  await recordEvents(trx, originOf(ctx), [
    ...teams.flatMap(({ userId, ...team }): NewEvent[] => {
      const member = names.get(userId)
      if (member === undefined) return []
      const facts = { ...team, memberId: userId, member, leftOrganization: true }
      return [{ kind: 'team.member_removed', ownerId: org.id, facts }]
    }),
    ...left.map(({ id, name }): NewEvent => {
      return { kind: 'org.member_removed', ownerId: org.id, facts: { memberId: id, member: name } }
    }),
  ])
  const of = left.map(({ id }) => id)
  const leftTeams = teams.filter(({ userId }) => names.has(userId)).map(({ team }) => team)
  return {
    left,
    teams: leftTeams,
    collaborations: await endCollaborations(trx, ctx, { of, ownerId: org.id }),
  }
}
