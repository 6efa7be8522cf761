import { subjectOf } from '@/server/access'
import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { selectGivingTeams } from './giving-teams'
import type { Reach } from './list-store'

/** What the caller may see of an owner who is visible to them. */
export async function reachOf(ctx: ServiceCtx, owner: Account, isMember: boolean): Promise<Reach> {
  const subject = subjectOf(ctx.caller)
  const everything: Reach = { owners: [owner.id], onlyPublic: false }
  const whatIsPublic: Reach = { owners: [owner.id], onlyPublic: true }
  if (subject.kind === 'anonymous') return whatIsPublic
  const teams = isMember ? await selectGivingTeams(ctx.db, subject.id, owner.id) : []
  if (subject.isAdmin || subject.id === owner.id || teams.some(team => team.isWhole)) {
    return subject.publicOnly ? whatIsPublic : everything
  }
  const given = { userId: subject.id, teams: teams.map(team => team.id), ofOwner: owner.id }
  // Restricted people see what they were given, not what is open to everybody else.
  if (subject.isRestricted && !isMember) {
    return {
      owners: [],
      onlyPublic: true,
      given: { ...given, only: subject.publicOnly ? 'open' : undefined },
    }
  }
  return subject.publicOnly ? whatIsPublic : { ...whatIsPublic, given: { ...given, only: 'private' } }
}

/** What is the caller's own or shared with them. */
export async function reachMine(ctx: UserCtx): Promise<Reach> {
  const { user } = ctx.caller
  const subject = subjectOf(ctx.caller)
  const onlyPublic = subject.kind === 'user' && subject.publicOnly
  const teams = await selectGivingTeams(ctx.db, user.id)
  const wholeOrgs = teams.filter(team => team.isWhole).map(team => team.org)
  const owners = [{ id: user.id, isPublic: user.visibility === 'public' }, ...wholeOrgs]
    .filter(owner => owner.isPublic || !onlyPublic)
    .map(owner => owner.id)
  const single = teams.filter(team => !owners.includes(team.org.id)).map(team => team.id)
  return {
    owners: [...new Set(owners)],
    onlyPublic,
    given: { userId: user.id, teams: single, only: onlyPublic ? 'open' : undefined },
  }
}
