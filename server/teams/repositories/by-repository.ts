import { atLeast } from '@/server/access/access-mode'
import { type NewEvent, originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, methodNotAllowed, notFound, unprocessable } from '@/server/kernel/errors'
import { type Page, wholePage } from '@/server/kernel/pagination'
import { getRepository, type RepositoryWithAccess } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { changeTeams } from '../change-teams'
import type { RepositoryTeamPath, RepositoryTeams, Team } from '../schema'
import { findTeamByName, lockTeam, type TeamRow } from '../store'
import { viewTeamsOf } from '../view'
import { attach, detach, isAttached, selectTeamsOfRepository } from './store'

/**
 * Lists all teams that have the repository: clients of this list cannot ask for a second page.
 * @throws {DomainError} notFound, moved after a rename, methodNotAllowed for a repository that a person owns.
 */
export async function listTeamsOfRepository(ctx: UserCtx, path: RepoPath): Promise<Page<Team>> {
  const { repository, owner } = await getOrgRepository(ctx, path)
  return wholePage(await viewTeamsOf(ctx, owner, await selectTeamsOfRepository(ctx.db, repository.id)))
}

/**
 * Lists all teams that have the repository, and whether the caller may change which they are.
 * @throws {DomainError} notFound, moved after a rename, methodNotAllowed for a repository that a person owns.
 */
export async function browseTeamsOfRepository(ctx: UserCtx, path: RepoPath): Promise<RepositoryTeams> {
  const found = await getOrgRepository(ctx, path)
  const teams = await viewTeamsOf(
    ctx,
    found.owner,
    await selectTeamsOfRepository(ctx.db, found.repository.id),
  )
  return { ...wholePage(teams), may_change: mayChangeTeams(found) }
}

/**
 * Shows one team that has the repository, by its name.
 * @throws {DomainError} notFound, also for a team that does not have it, moved after a rename, methodNotAllowed for a
 * repository that a person owns.
 */
export async function getTeamOfRepository(ctx: UserCtx, path: RepositoryTeamPath): Promise<Team> {
  const { repository, owner } = await getOrgRepository(ctx, path)
  const team = await findTeamByName(ctx.db, owner.id, path.team)
  if (!team || !(await isAttached(ctx.db, team.id, repository.id))) throw notFound()
  const [shown] = await viewTeamsOf(ctx, owner, [team])
  if (!shown) throw notFound()
  return shown
}

/**
 * Adds the repository to a team of its organization.
 * @throws {DomainError} notFound, also for an unknown team, moved after a rename, methodNotAllowed for a repository
 * that a person owns, forbidden for callers who may not change its teams, unprocessable for a team that has it already.
 */
export async function addTeamToRepository(ctx: UserCtx, path: RepositoryTeamPath): Promise<void> {
  const { found, team } = await changeable(ctx, path)
  await changeTeams(ctx, found.owner.id, async trx => {
    if (!(await attach(trx, team, found.repository.id))) {
      throw unprocessable(`team '${team.name}' is already added to repo`, {
        field: 'team',
        reason: { code: 'teamHasRepository', team: team.name },
      })
    }
    await recordEvent(trx, originOf(ctx), eventOf('team.repository_added', found, team))
  })
}

/**
 * Removes the repository from a team of its organization.
 * @throws {DomainError} notFound, also for an unknown team, moved after a rename, methodNotAllowed for a repository
 * that a person owns, forbidden for callers who may not change its teams, unprocessable for a team that does not have
 * it or includes all repositories.
 */
export async function removeTeamFromRepository(ctx: UserCtx, path: RepositoryTeamPath): Promise<void> {
  const { found, team } = await changeable(ctx, path)
  await changeTeams(ctx, found.owner.id, async trx => {
    // Another call may have made it include all repositories since it was loaded.
    if ((await lockTeam(trx, team.id))?.includes_all_repositories) {
      throw unprocessable(`team '${team.name}' includes all repositories; change that in the team first`, {
        field: 'team',
        reason: { code: 'teamIncludesAll', team: team.name },
      })
    }
    if (!(await detach(trx, team.id, found.repository.id))) {
      throw unprocessable(`team '${team.name}' was not added to repo`, {
        field: 'team',
        reason: { code: 'teamLacksRepository', team: team.name },
      })
    }
    await recordEvent(trx, originOf(ctx), eventOf('team.repository_removed', found, team))
  })
}

async function changeable(
  ctx: UserCtx,
  path: RepositoryTeamPath,
): Promise<{ found: RepositoryWithAccess; team: TeamRow }> {
  const found = await getOrgRepository(ctx, path)
  requireTeamChange(found)
  const team = await findTeamByName(ctx.db, found.owner.id, path.team)
  if (!team) throw notFound()
  return { found, team }
}

const eventOf = (
  kind: 'team.repository_added' | 'team.repository_removed',
  { repository, owner }: RepositoryWithAccess,
  team: TeamRow,
): NewEvent => ({
  kind,
  ownerId: owner.id,
  facts: { teamId: team.id, team: team.name, repositoryId: repository.id, repository: repository.name },
})

/**
 * Finds an organization's repository. Everybody who may see it may know which teams have it.
 * @throws {DomainError} notFound, moved after a rename, methodNotAllowed when a person owns it.
 */
async function getOrgRepository(ctx: UserCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const found = await getRepository(ctx, path)
  if (found.owner.kind !== 'organization') {
    throw methodNotAllowed('the repository belongs to a person, so it has no teams')
  }
  return found
}

/**
 * Requires that the caller may change which teams have the repository: as an owner of its organization or, where that
 * allows it, as an administrator of the repository.
 * @throws {DomainError} forbidden.
 */
function requireTeamChange(found: RepositoryWithAccess): void {
  if (!mayChangeTeams(found)) throw forbidden('user is nor repo admin nor owner')
}

function mayChangeTeams({ access, owner }: RepositoryWithAccess): boolean {
  return atLeast(access.mode, owner.repo_admin_change_team_access ? 'admin' : 'owner')
}
