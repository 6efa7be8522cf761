import type { Db } from '@/db/client'
import { subjectFor, type TeamGrant } from '@/server/access'
import type { AccessMode } from '@/server/access/access-mode'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { selectAccounts } from '@/server/users'
import type { TeamFor, TeamWithAccess } from '../load'
import { getTeamPerson } from '../members/person'
import { isTeamMember, selectMemberIds } from '../members/store'
import { countOrgRepositories, selectRepositories } from '../repositories/store'
import type { MemberPreview, PreviewMemberInput, PreviewTeamInput, TeamPreview } from '../schema'
import type { TeamRow } from '../store'
import { editedAccess, includesAllAfter, requireExpected, type TeamUnits } from './access'
import {
  type Edit,
  type EditedMember,
  type EditedRepository,
  memberChanges,
  teamChanges,
} from './permission-diff'
import {
  type MembershipRow,
  type PreviewRepository,
  selectAttachments,
  selectCollaborations,
  selectMemberships,
  selectOrgRepositories,
  selectUnits,
} from './store'

// People read the preview, so it is limited; the response includes the totals.
const someMembers = { page: 1, limit: 50 }
const someRepositories = { page: 1, limit: 200 }

/**
 * Computes the effects of an edit of a team's permissions before it is saved: the units (repository features,
 * such as code or issues) for which the team gains or loses access, and the members whose access changes.
 * Takes into account the access that members have from other sources.
 * @throws {DomainError} unprocessable if a unit is unknown; conflict if the team's permissions have changed
 * since the caller read them.
 */
export async function previewTeam(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<PreviewTeamInput, 'id'>,
): Promise<TeamPreview> {
  const ids = await selectMemberIds(ctx.db, found.team.id, someMembers)
  const known = await selectAccounts(ctx.db, ids)
  const accounts = ids.flatMap(id => known.get(id) ?? [])
  const { edit, members, repositories, repositoryCount } = await evaluate(ctx, found, input, accounts)
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
 * Computes how an edit of a team would change one member's access, with the names of the affected
 * repositories.
 * @throws {DomainError} notFound if the person is not in the team; unprocessable if a unit is unknown;
 * conflict if the team's permissions have changed since the caller read them.
 */
export async function previewMember(
  ctx: UserCtx,
  found: TeamFor<'ownership'>,
  input: Omit<PreviewMemberInput, 'id'>,
): Promise<MemberPreview> {
  const person = await getTeamPerson(ctx, found.org.id, input.username)
  if (!(await isTeamMember(ctx.db, found.team.id, person.id))) throw notFound()
  const { edit, members } = await evaluate(ctx, found, input, [person])
  return memberChanges(edit, members[0] as EditedMember)
}

async function evaluate(
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

/**
 * Data needed to evaluate an edit: the teams that have each repository, and all other sources of each
 * member's access.
 */
interface PreviewFacts {
  repositories: EditedRepository[]
  members: EditedMember[]
}

/**
 * Loads the data needed to evaluate an edit for these members and repositories. Runs four queries regardless
 * of their number.
 */
async function gatherFacts(
  db: Db,
  team: TeamRow,
  accounts: readonly Account[],
  rows: readonly PreviewRepository[],
  gainsAll: boolean,
): Promise<PreviewFacts> {
  const userIds = accounts.map(account => account.id)
  const repositoryIds = rows.map(row => row.id)
  const memberships = await selectMemberships(db, team.org_id, userIds)
  const teamIds = [...new Set([team.id, ...memberships.map(row => row.team_id)])]
  const units = await selectUnits(db, teamIds)
  const attachments = grouped(await selectAttachments(db, teamIds, repositoryIds), row => row.repository_id)
  const collaborations = grouped(await selectCollaborations(db, userIds, repositoryIds), row => row.user_id)
  const teamsOf = grouped(memberships, row => row.user_id)
  return {
    repositories: rows.map(row => {
      const teamIds = new Set(attachments.get(row.id)?.map(({ team_id }) => team_id))
      const attachedAfter = gainsAll || teamIds.has(team.id)
      return { id: row.id, name: row.name, isPrivate: row.is_private, teamIds, attachedAfter }
    }),
    members: accounts.map(account => {
      const grants = grantsOf(teamsOf.get(account.id) ?? [], units)
      return {
        subject: subjectFor(account),
        isOrganizationOwner: grants.some(grant => grant.mode === 'owner'),
        teams: grants.filter(grant => grant.team.id !== team.id),
        collaborations: new Map<number, AccessMode>(
          collaborations.get(account.id)?.map(row => [row.repository_id, row.mode]),
        ),
      }
    }),
  }
}

function grantsOf(memberships: readonly MembershipRow[], units: ReadonlyMap<number, TeamUnits>): TeamGrant[] {
  return memberships.map(({ team_id: id, name, mode }) => ({
    team: { id, name },
    mode,
    units: units.get(id) ?? {},
  }))
}

function grouped<T>(rows: readonly T[], key: (row: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
