import { type NewEvent, originOf, recordEvents } from '@/server/events'
import { type Account, findPeopleByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { endMemberships, requireAnotherOwner, requireOwner } from '@/server/orgs'
import { endedOf, type Removal, removal } from '@/server/users'
import { changeTeams } from '../change-teams'
import { loadTeam, type TeamWithAccess } from '../load'
import { getTeamPerson } from './person'
import { deleteMembers, lockMemberships } from './store'

/**
 * Removes a person from a team. Owners of the organization and site administrators can remove anyone, and
 * members can remove themselves. People who are left without any team also leave the organization. Returns
 * the memberships and collaborations that ended, which is nothing if the person was not in the team.
 * @throws {DomainError} notFound if the team does not exist for the caller, or the name is unknown or
 * hidden; forbidden if the caller is not allowed to remove the person; unprocessable if the person is the
 * organization's last owner.
 */
export async function removeMember(ctx: UserCtx, input: { id: number; username: string }): Promise<Removal> {
  const found = await loadTeam(ctx, input.id, 'orgMembership')
  const { org } = found
  const leaves = input.username.toLowerCase() === ctx.caller.user.name.toLowerCase()
  if (!leaves) requireOwner(found)
  const person = leaves ? ctx.caller.user : await getTeamPerson(ctx, org.id, input.username)
  return await takeOut(ctx, found, [person])
}

/**
 * Removes several people from a team. The caller must own the organization. People who are not in the team
 * are skipped, and people who are left without any team also leave the organization. Returns the memberships
 * and collaborations that ended.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller does not
 * own the organization; unprocessable if the organization would have no owner left.
 */
export async function removeMembers(
  ctx: UserCtx,
  input: { id: number; usernames: readonly string[] },
): Promise<Removal> {
  const found = await loadTeam(ctx, input.id, 'ownership')
  return await takeOut(ctx, found, await findPeopleByName(ctx.db, input.usernames))
}

async function takeOut(
  ctx: UserCtx,
  { team, org }: TeamWithAccess,
  people: readonly Account[],
): Promise<Removal> {
  const ids = people.map(({ id }) => id)
  return await changeTeams(ctx, org.id, async trx => {
    if (team.is_owners) await requireAnotherOwner(trx, org.id, ids)
    await lockMemberships(trx, org.id, [team.id], ids)
    const removed = new Set(await deleteMembers(trx, team, ids))
    if (removed.size === 0) return removal()
    const members = { ids: [...removed], onlyWithoutTeam: true }
    const { left, collaborations } = await endMemberships(trx, ctx, org, members)
    const leftIds = new Set(left.map(({ id }) => id))
    await recordEvents(
      trx,
      originOf(ctx),
      people
        .filter(({ id }) => removed.has(id))
        .map(({ id, name }): NewEvent => {
          const facts = { teamId: team.id, team: team.name, memberId: id, member: name }
          return {
            kind: 'team.member_removed',
            ownerId: org.id,
            facts: { ...facts, leftOrganization: leftIds.has(id) },
          }
        }),
    )
    return removal({
      members: endedOf(people.filter(({ id }) => removed.has(id)).map(({ name }) => name)),
      teams: endedOf([team.name]),
      people: endedOf(left.map(({ name }) => name)),
      organizations: endedOf(left.length > 0 ? [org.name] : []),
      collaborations: endedOf(collaborations),
    })
  })
}
