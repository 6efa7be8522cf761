import type { UserCtx } from '@/server/kernel/ctx'
import { selectAccounts } from '@/server/users'
import { type Edit, type EditedMember, memberChanges, teamChanges } from './effect'
import { getOwnTeam } from './find'
import { selectMemberIds } from './member-list-store'
import { gatherFacts } from './preview-facts'
import { selectOrgRepositories } from './preview-store'
import { includesAllAfter } from './reach'
import { countOrgRepositories, selectRepositories } from './repository-list-store'
import type { PreviewTeamInput, TeamPreview } from './schema'
import { selectUnits } from './unit-store'
import { editedAccess } from './units'

// A preview is looked at, not worked through: beyond these it says how much it left out.
const someMembers = { page: 1, limit: 50 }
const someRepositories = { page: 1, limit: 200 }

/**
 * Tells what an edit would do before it is saved: on which units the team gains or loses, and for whom that makes a
 * difference, considering everything else that gives them rights.
 * Throws as `getOwnTeam`, unprocessable for a unit that does not exist.
 */
export async function previewTeam(ctx: UserCtx, input: PreviewTeamInput): Promise<TeamPreview> {
  const { team, org } = await getOwnTeam(ctx, input.id)
  const before = { mode: team.mode, units: (await selectUnits(ctx.db, [team.id])).get(team.id) ?? {} }
  const after = editedAccess(before, input)
  const gainsAll = includesAllAfter(team, input) && !team.includes_all_repositories
  const ids = await selectMemberIds(ctx.db, team.id, someMembers)
  const found = await selectAccounts(ctx.db, ids)
  const accounts = ids.flatMap(id => found.get(id) ?? [])
  const rows = gainsAll
    ? await selectOrgRepositories(ctx.db, org.id, someRepositories)
    : await selectRepositories(ctx.db, team.id, someRepositories)
  const { repositories, members } = await gatherFacts(ctx.db, team, accounts, rows, gainsAll)
  const owner = { id: org.id, visibility: org.visibility, isOrganization: true }
  const edit: Edit = { team: { id: team.id, name: team.name }, before, after, owner, repositories }
  const all = accounts.map((account, index) => ({
    username: account.name,
    full_name: account.full_name,
    changes: memberChanges(edit, members[index] as EditedMember),
  }))
  return {
    units: teamChanges(before, after),
    members: all.filter(({ changes }) => changes.length > 0),
    members_looked_at: accounts.length,
    members_total: team.member_count,
    repositories_looked_at: rows.length,
    repositories_total: gainsAll ? await countOrgRepositories(ctx.db, org.id) : team.repository_count,
  }
}
