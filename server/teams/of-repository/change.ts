import type { NewEvent } from '@/server/events'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import type { RepositoryWithAccess } from '@/server/repos'
import { changeTeams } from '../change'
import { attach, detach } from '../repository-store'
import { findTeamByName, lockTeam, type TeamRow } from '../store'
import { getOrgRepository, requireTeamChange } from './policy'
import type { RepositoryTeamPath } from './schema'

/**
 * Gives the repository to a team of its organization. Throws as `getOrgRepository`, forbidden for who may not say so,
 * notFound for a team that does not exist, unprocessable for one that has it already.
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

/** Takes it from the team again. Throws alike, and unprocessable for a team that includes all repositories. */
export async function removeTeamFromRepository(ctx: UserCtx, path: RepositoryTeamPath): Promise<void> {
  const { found, team } = await changeable(ctx, path)
  await changeTeams(ctx, found.owner.id, async trx => {
    // As it is now: it may come to include all at this moment.
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
