import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { selectAccounts } from '@/server/users'
import { type Edit, type EditedMember, memberChanges, teamChanges } from './effect'
import type { TeamFor, TeamWithAccess } from './find'
import { selectMemberIds } from './member-list-store'
import { isTeamMember } from './member-store'
import { getTeamPerson } from './person'
import { gatherFacts } from './preview-facts'
import { type PreviewRepository, selectOrgRepositories } from './preview-store'
import { includesAllAfter } from './reach'
import { countOrgRepositories, selectRepositories } from './repository-list-store'
import type { MemberPreview, PreviewMemberInput, PreviewTeamInput, TeamPreview } from './schema'
import { selectUnits } from './unit-store'
import { editedAccess, requireExpected } from './units'

// A preview is looked at, not worked through: beyond these it says how much it left out.
const someMembers = { page: 1, limit: 50 }
const someRepositories = { page: 1, limit: 200 }

/**
 * Tells what an edit would do before it is saved: on which units the team gains or loses, and for whom that makes a
 * difference, considering everything else that gives them rights.
 * @throws {DomainError} unprocessable for a unit that does not exist, conflict when the team may do something else than
 * expected by now.
 */
export async function previewTeam(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<PreviewTeamInput, 'id'>,
): Promise<TeamPreview> {
  const ids = await selectMemberIds(ctx.db, found.team.id, someMembers)
  const known = await selectAccounts(ctx.db, ids)
  const accounts = ids.flatMap(id => known.get(id) ?? [])
  const { edit, members, repositories, repositoryCount } = await reckon(ctx, found, input, accounts)
  const all = accounts.map((account, index) => ({
    username: account.name,
    full_name: account.full_name,
    changes: memberChanges(edit, members[index] as EditedMember).map(change => ({
      ...change,
      repositories: change.repositories.length,
    })),
  }))
  return {
    units: teamChanges(edit.before, edit.after),
    members: all.filter(({ changes }) => changes.length > 0),
    members_looked_at: accounts.length,
    members_total: found.team.member_count,
    repositories_looked_at: repositories.length,
    repositories_total: repositoryCount,
  }
}

/**
 * Tells on which repositories an edit would change what one member may do. Throws as `previewTeam`, and notFound for
 * somebody who is not in the team.
 */
export async function previewMember(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<PreviewMemberInput, 'id'>,
): Promise<MemberPreview> {
  const person = await getTeamPerson(ctx, found.org.id, input.username)
  if (!(await isTeamMember(ctx.db, found.team.id, person.id))) throw notFound()
  const { edit, members } = await reckon(ctx, found, input, [person])
  return memberChanges(edit, members[0] as EditedMember)
}

async function reckon(
  ctx: UserCtx,
  { team, org }: TeamWithAccess,
  input: Omit<PreviewTeamInput, 'id'>,
  accounts: readonly Account[],
): Promise<{
  edit: Edit
  members: EditedMember[]
  repositories: readonly PreviewRepository[]
  repositoryCount: number
}> {
  const before = { mode: team.mode, units: (await selectUnits(ctx.db, [team.id])).get(team.id) ?? {} }
  requireExpected(before, input.expected)
  const after = editedAccess(before, input)
  const gainsAll = includesAllAfter(team, input) && !team.includes_all_repositories
  const rows = gainsAll
    ? await selectOrgRepositories(ctx.db, org.id, someRepositories)
    : await selectRepositories(ctx.db, team.id, someRepositories)
  const { repositories, members } = await gatherFacts(ctx.db, team, accounts, rows, gainsAll)
  const owner = { id: org.id, visibility: org.visibility, isOrganization: true }
  return {
    edit: { team: { id: team.id, name: team.name }, before, after, owner, repositories },
    members,
    repositories: rows,
    repositoryCount: gainsAll ? await countOrgRepositories(ctx.db, org.id) : team.repository_count,
  }
}
