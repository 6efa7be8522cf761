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

/**
 * An organization's repository and one of the organization's teams, loaded for a caller who can add and
 * remove the repository's teams.
 */
export type RepositoryTeam = Allowed<RepositoryWithAccess & { team: TeamRow }, 'teamChange'>

/**
 * A team that the caller is in or manages, and repositories of its organization that the caller can
 * administer.
 */
export type TeamRepositories = Allowed<
  { team: TeamRow; org: Account; repositories: readonly RepositoryRow[] },
  'administration'
>

/** An organization's repository, loaded for a caller who can add and remove its teams. */
export type TeamsOfRepository = Allowed<RepositoryWithAccess, 'teamChange'>

/**
 * Loads an organization's repository for a caller who must be allowed to add and remove its teams.
 * @throws {DomainError} notFound if the repository does not exist for the caller; moved if it was renamed;
 * methodNotAllowed if a person owns it; forbidden if the caller cannot change its teams.
 */
export async function loadTeamsOfRepository(ctx: UserCtx, path: RepoPath): Promise<TeamsOfRepository> {
  const found = await getOrgRepository(ctx, path)
  if (!mayChangeTeams(found)) throw forbidden('user is nor repo admin nor owner')
  return allow(found)
}

/**
 * Loads a repository and a team of its organization by their names. The caller must be allowed to add and
 * remove the repository's teams.
 * @throws {DomainError} notFound if the repository does not exist for the caller or the team is unknown;
 * moved if the repository was renamed; methodNotAllowed if a person owns it; forbidden if the caller cannot
 * change its teams.
 */
export async function loadRepositoryTeam(ctx: UserCtx, path: RepositoryTeamPath): Promise<RepositoryTeam> {
  const found = await loadTeamsOfRepository(ctx, path)
  const team = await findTeamByName(ctx.db, found.owner.id, path.team)
  if (!team) throw notFound()
  return allow({ ...found, team })
}

/**
 * Loads an organization's repository. Anyone who can see the repository can also see its teams.
 * @throws {DomainError} notFound if the repository does not exist for the caller; moved if it was renamed;
 * methodNotAllowed if a person owns it.
 */
export async function getOrgRepository(ctx: UserCtx, path: RepoPath): Promise<RepositoryWithAccess> {
  const found = await getRepository(ctx, path)
  if (found.owner.kind !== 'organization') {
    throw methodNotAllowed('the repository belongs to a person, so it has no teams')
  }
  return found
}

/**
 * Returns whether the caller can add and remove the repository's teams. Owners of its organization can;
 * repository administrators can if the organization allows it.
 */
export function mayChangeTeams({ access, owner }: RepositoryWithAccess): boolean {
  return atLeast(access.mode, owner.repo_admin_change_team_access ? 'admin' : 'owner')
}

/**
 * Loads a team and a repository of its organization. The caller must be in the team and able to administer
 * the repository's code.
 * @throws {DomainError} notFound if the team does not exist for the caller or the organization has no such
 * repository; forbidden if the caller is not in the team or cannot administer the repository.
 */
export async function loadTeamRepository(ctx: UserCtx, path: TeamRepositoryPath): Promise<TeamRepositories> {
  const { team, org } = await loadTeam(ctx, path.id, 'membership')
  const repository = await findTeamRepository(ctx, org, path.repo)
  return administered(team, org, await withAccess(ctx, org, [repository]))
}

/**
 * Loads a team and several repositories of its organization. The caller must be in the team and able to
 * administer the code of each repository. Repositories that the organization does not own or the caller
 * cannot see are skipped.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller is not
 * in the team or cannot administer one of the repositories.
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
 * Finds a repository of the team's organization by name.
 * @throws {DomainError} notFound if the organization has no such repository.
 */
export async function findTeamRepository(ctx: UserCtx, org: Account, name: string): Promise<RepositoryRow> {
  const repository = await findRepositoryByName(ctx.db, org.id, name)
  if (!repository) throw notFound()
  return repository
}
