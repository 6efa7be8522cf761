import { type NewEvent, originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { type Page, wholePage } from '@/server/kernel/pagination'
import type { RepoPath } from '@/server/repos/schema'
import { changeTeams } from '../change-teams'
import type { RepositoryTeamPath, RepositoryTeams, Team, TeamCandidate } from '../schema'
import { findTeamByName, lockTeam, selectTeams } from '../store'
import { viewTeamsOf } from '../view'
import { getOrgRepository, mayChangeTeams, type RepositoryTeam, type TeamsOfRepository } from './load'
import { attach, detach, isAttached, selectTeamsAttachedAmong, selectTeamsOfRepository } from './store'

/**
 * Returns all teams that have a repository. Always returns a single page, because clients cannot request a
 * second page of this list.
 * @throws {DomainError} notFound if the repository does not exist for the caller; moved if it was renamed;
 * methodNotAllowed if a person owns it.
 */
export async function listTeamsOfRepository(ctx: UserCtx, path: RepoPath): Promise<Page<Team>> {
  const { repository, owner } = await getOrgRepository(ctx, path)
  return wholePage(await viewTeamsOf(ctx, owner, await selectTeamsOfRepository(ctx.db, repository.id)))
}

/**
 * Returns all teams that have the repository, and whether the caller can add and remove teams.
 * @throws {DomainError} notFound if the repository does not exist for the caller; moved if it was renamed;
 * methodNotAllowed if a person owns it.
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

// As many as a person would read; typing more of the name narrows the list.
const maxCandidates = 20

/**
 * Returns suggestions, as the user types, for teams of the organization to add to the repository. Each
 * suggestion includes the reason, if any, why the team cannot be added. For an empty text, returns the
 * organization's first teams.
 */
export async function listTeamCandidates(
  ctx: UserCtx,
  { repository, owner }: TeamsOfRepository,
  text: string,
): Promise<TeamCandidate[]> {
  const part = text.trim()
  const filter = { orgId: owner.id, text: part === '' ? undefined : { part, inDescription: false } }
  const rows = await selectTeams(ctx.db, filter, { page: 1, limit: maxCandidates })
  const ids = rows.map(row => row.id)
  const attached = await selectTeamsAttachedAmong(ctx.db, repository.id, ids)
  const teams = await viewTeamsOf(ctx, owner, rows)
  return teams.map(team => ({ team, obstacle: attached.has(team.id) ? 'attached' : null }))
}

/**
 * Returns one of the repository's teams by name.
 * @throws {DomainError} notFound if the repository does not exist for the caller or the team does not have
 * it; moved if the repository was renamed; methodNotAllowed if a person owns it.
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
 * @throws {DomainError} unprocessable if the team already has it; notFound if the organization, the team, or
 * the repository is deleted concurrently.
 */
export async function addTeamToRepository(ctx: UserCtx, found: RepositoryTeam): Promise<void> {
  const { repository, owner, team } = found
  await changeTeams(ctx, owner.id, async trx => {
    if ((await attach(trx, team, [repository.id])).length === 0) {
      throw unprocessable(`team '${team.name}' is already added to repo`, {
        field: 'team',
        reason: { code: 'teamHasRepository', team: team.name },
      })
    }
    await recordEvent(trx, originOf(ctx), eventOf('team.repository_added', found))
  })
}

/**
 * Removes the repository from a team of its organization.
 * @throws {DomainError} unprocessable if the team does not have the repository or includes all repositories;
 * notFound if the organization is deleted concurrently.
 */
export async function removeTeamFromRepository(ctx: UserCtx, found: RepositoryTeam): Promise<void> {
  const { repository, owner, team } = found
  await changeTeams(ctx, owner.id, async trx => {
    // A concurrent request may have made the team include all repositories since it was loaded.
    if ((await lockTeam(trx, team.id))?.includes_all_repositories) {
      throw unprocessable(`team '${team.name}' includes all repositories; change that in the team first`, {
        field: 'team',
        reason: { code: 'teamIncludesAll', team: team.name },
      })
    }
    if ((await detach(trx, team.id, [repository.id])).length === 0) {
      throw unprocessable(`team '${team.name}' was not added to repo`, {
        field: 'team',
        reason: { code: 'teamLacksRepository', team: team.name },
      })
    }
    await recordEvent(trx, originOf(ctx), eventOf('team.repository_removed', found))
  })
}

const eventOf = (
  kind: 'team.repository_added' | 'team.repository_removed',
  { repository, owner, team }: RepositoryTeam,
): NewEvent => ({
  kind,
  ownerId: owner.id,
  facts: { teamId: team.id, team: team.name, repositoryId: repository.id, repository: repository.name },
})
