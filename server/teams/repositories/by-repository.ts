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

// As many as anybody reads through; whoever wants another types more of its name.
const maxCandidates = 20

/**
 * Finds teams of the organization to give the repository to while their name is typed, each with what prevents it; the
 * first of all for an empty text.
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
 * @throws {DomainError} unprocessable for a team that has it already, notFound for what is deleted concurrently.
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
 * @throws {DomainError} unprocessable for a team that does not have it or includes all repositories, notFound for what
 * is deleted concurrently.
 */
export async function removeTeamFromRepository(ctx: UserCtx, found: RepositoryTeam): Promise<void> {
  const { repository, owner, team } = found
  await changeTeams(ctx, owner.id, async trx => {
    // Another call may have made it include all repositories since it was loaded.
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
