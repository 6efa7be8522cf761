import {
  type Allowed,
  maySeeRepository,
  type RepositoryAccess,
  repositoryAccesses,
  subjectOf,
} from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import { allow } from '@/server/access/allowed'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, methodNotAllowed, notFound } from '@/server/kernel/errors'
import {
  findRepositoryByName,
  getRepository,
  type RepositoryRow,
  type RepositoryWithAccess,
} from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { loadTeam } from '../load'
import type { RepositoryTeamPath, TeamRepositoriesPath, TeamRepositoryPath } from '../schema'
import { findTeamByName, type TeamRow } from '../store'
import { selectRepositoriesAmong } from './store'

/** A repository of an organization and one of its teams, for a caller who may change which teams have the repository. */
export type RepositoryTeam = Allowed<RepositoryWithAccess & { team: TeamRow }, 'teamChange'>

/** A team the caller is in or manages, and repositories of its organization that they may administer. */
export type TeamRepositories = Allowed<
  { team: TeamRow; org: Account; repositories: readonly RepositoryRow[] },
  'administration'
>

/** A repository of an organization, for a caller who may change which teams have it. */
export type TeamsOfRepository = Allowed<RepositoryWithAccess, 'teamChange'>

/**
 * Loads an organization's repository for a caller who may change which teams have it.
 * @throws {DomainError} notFound, moved after a rename, methodNotAllowed for a repository that a person owns, forbidden
 * for callers who may not change its teams.
 */
export async function loadTeamsOfRepository(ctx: UserCtx, path: RepoPath): Promise<TeamsOfRepository> {
  const found = await getOrgRepository(ctx, path)
  if (!mayChangeTeams(found)) throw forbidden('user is nor repo admin nor owner')
  return allow(found)
}

/**
 * Loads a repository with a team of its organization, by their names, for a caller who may change which teams have it.
 * @throws {DomainError} notFound, also for an unknown team, moved after a rename, methodNotAllowed for a repository
 * that a person owns, forbidden for callers who may not change its teams.
 */
export async function loadRepositoryTeam(ctx: UserCtx, path: RepositoryTeamPath): Promise<RepositoryTeam> {
  const found = await loadTeamsOfRepository(ctx, path)
  const team = await findTeamByName(ctx.db, found.owner.id, path.team)
  if (!team) throw notFound()
  return allow({ ...found, team })
}

/**
 * Finds an organization's repository. Everybody who may see it may know which teams have it.
 * @throws {DomainError} notFound, moved after a rename, methodNotAllowed when a person owns it.
 */
export async function getOrgRepository(ctx: UserCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const found = await getRepository(ctx, path)
  if (found.owner.kind !== 'organization') {
    throw methodNotAllowed('the repository belongs to a person, so it has no teams')
  }
  return found
}

/**
 * Tells whether the caller may change which teams have the repository: as an owner of its organization or, where that
 * allows it, as an administrator of the repository.
 */
export function mayChangeTeams({ access, owner }: RepositoryWithAccess): boolean {
  return atLeast(access.mode, owner.repo_admin_change_team_access ? 'admin' : 'owner')
}

/**
 * Loads a team with a repository of its organization, for a caller who is in the team and may administer the code of the
 * repository.
 * @throws {DomainError} notFound outside the organization and for a repository it does not have, forbidden for callers
 * who are not in the team or do not administer the repository.
 */
export async function loadTeamRepository(ctx: UserCtx, path: TeamRepositoryPath): Promise<TeamRepositories> {
  const { team, org } = await loadTeam(ctx, path.id, 'membership')
  const repository = await findTeamRepository(ctx, org, path.repo)
  return administered(team, org, await withAccess(ctx, org, [repository]))
}

/**
 * Loads a team with those of these repositories that its organization has and the caller may see, for a caller who is in the
 * team and may administer the code of each.
 * @throws {DomainError} notFound outside the organization, forbidden for callers who are not in the team or do not
 * administer one of the repositories.
 */
export async function loadTeamRepositories(
  ctx: UserCtx,
  { id, repositories }: TeamRepositoriesPath,
): Promise<TeamRepositories> {
  const { team, org } = await loadTeam(ctx, id, 'membership')
  const found = await withAccess(ctx, org, await selectRepositoriesAmong(ctx.db, org.id, repositories))
  const visible = found.filter(({ access }) => maySeeRepository(access))
  return administered(team, org, visible)
}

async function withAccess(
  ctx: UserCtx,
  owner: Account,
  repositories: readonly RepositoryRow[],
): Promise<RepositoryWithAccess[]> {
  const owned = repositories.map(repository => ({ ...repository, owner }))
  const accesses = await repositoryAccesses(ctx.db, subjectOf(ctx.caller), owned)
  return repositories.map((repository, index) => ({
    repository,
    owner,
    access: accesses[index] as RepositoryAccess,
  }))
}

function administered(team: TeamRow, org: Account, found: readonly RepositoryWithAccess[]): TeamRepositories {
  if (!found.every(({ access }) => atLeast(access.units['repo.code'].mode, 'admin'))) {
    throw forbidden('Must have admin-level access to the repository')
  }
  return allow({ team, org, repositories: found.map(({ repository }) => repository) })
}

/**
 * Finds a repository of the team's organization by its name.
 * @throws {DomainError} notFound.
 */
export async function findTeamRepository(ctx: UserCtx, org: Account, name: string): Promise<RepositoryRow> {
  const repository = await findRepositoryByName(ctx.db, org.id, name)
  if (!repository) throw notFound()
  return repository
}
