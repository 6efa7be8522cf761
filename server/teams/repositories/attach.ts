import { type NewEvent, originOf, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import type { RepositoryRow } from '@/server/repos'
import { changeTeams } from '../change-teams'
import { lockTeam, type TeamRow } from '../store'
import type { TeamRepositories } from './load'
import { attach, detach } from './store'

/**
 * Adds repositories of the organization to one of its teams. Repositories that the team already has are
 * skipped.
 * @throws {DomainError} notFound if the organization, the team, or a repository is deleted concurrently.
 */
export async function attachRepositories(
  ctx: UserCtx,
  { team, org, repositories }: TeamRepositories,
): Promise<void> {
  await changeTeams(ctx, org.id, async trx => {
    const added = await attach(trx, team, idsOf(repositories))
    const events = eventsOf('team.repository_added', team, repositories, added)
    await recordEvents(trx, originOf(ctx), events)
  })
}

/**
 * Removes repositories from a team without deleting them. A team that includes all repositories keeps them;
 * as the API contract requires, that is not an error. Returns the IDs of the removed repositories.
 * @throws {DomainError} notFound if the organization is deleted concurrently.
 */
export async function detachRepositories(
  ctx: UserCtx,
  { team, org, repositories }: TeamRepositories,
): Promise<readonly number[]> {
  return await changeTeams(ctx, org.id, async trx => {
    // A concurrent request may have made the team include all repositories since it was loaded.
    if ((await lockTeam(trx, team.id))?.includes_all_repositories) return []
    const removed = await detach(trx, team.id, idsOf(repositories))
    const events = eventsOf('team.repository_removed', team, repositories, removed)
    await recordEvents(trx, originOf(ctx), events)
    return removed
  })
}

const idsOf = (repositories: readonly RepositoryRow[]): number[] => repositories.map(({ id }) => id)

function eventsOf(
  kind: 'team.repository_added' | 'team.repository_removed',
  team: TeamRow,
  repositories: readonly RepositoryRow[],
  changed: readonly number[],
): NewEvent[] {
  return repositories
    .filter(({ id }) => changed.includes(id))
    .map(({ id, name }) => ({
      kind,
      ownerId: team.org_id,
      facts: { teamId: team.id, team: team.name, repositoryId: id, repository: name },
    }))
}
