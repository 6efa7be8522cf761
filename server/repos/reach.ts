import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { askerOf } from '@/server/kernel/permissions/asker'
import { selectGivingTeams } from './giving-teams'
import type { Reach } from './list-store'

/** What the caller may see of an owner who is visible to them. */
export async function reachOf(ctx: ServiceCtx, owner: Account, isMember: boolean): Promise<Reach> {
  const asker = askerOf(ctx.caller)
  const everything: Reach = { owners: [owner.id], onlyPublic: false }
  const whatIsPublic: Reach = { owners: [owner.id], onlyPublic: true }
  if (asker.kind === 'anonymous') return whatIsPublic
  const teams = isMember ? await selectGivingTeams(ctx.db, asker.id, owner.id) : []
  if (asker.isAdmin || asker.id === owner.id || teams.some(team => team.isWhole)) {
    return asker.publicOnly ? whatIsPublic : everything
  }
  const given = { userId: asker.id, teams: teams.map(team => team.id), ofOwner: owner.id }
  // Restricted people see what they were given, not what is open to everybody else.
  if (asker.isRestricted && !isMember) {
    return { owners: [], onlyPublic: true, given: { ...given, only: asker.publicOnly ? 'open' : undefined } }
  }
  return asker.publicOnly ? whatIsPublic : { ...whatIsPublic, given: { ...given, only: 'private' } }
}

/** What is the caller's own or shared with them. */
export async function reachMine(ctx: UserCtx): Promise<Reach> {
  const { user } = ctx.caller
  const asker = askerOf(ctx.caller)
  const onlyPublic = asker.kind === 'user' && asker.publicOnly
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
