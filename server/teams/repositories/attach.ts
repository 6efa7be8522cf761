import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import type { RepositoryRow } from '@/server/repos'
import { changeTeams } from '../change-teams'
import { loadTeam } from '../load'
import type { TeamRepositoryPath } from '../schema'
import { lockTeam, type TeamRow } from '../store'
import { findTeamRepository, requireRepositoryAdmin } from './list'
import { attach, detach } from './store'

/**
 * Gives a team a repository of its organization. What it has already stays.
 * Throws as `loadTeam`, notFound for a repository the organization does not have, forbidden for who may not
 * administer it.
 */
export async function attachRepository(ctx: UserCtx, input: TeamRepositoryPath): Promise<void> {
  const { team, org, repository } = await getAdministered(ctx, input)
  await changeTeams(ctx, org.id, async trx => {
    if (!(await attach(trx, team, repository.id))) return
    const facts = {
      teamId: team.id,
      team: team.name,
      repositoryId: repository.id,
      repository: repository.name,
    }
    await recordEvent(trx, originOf(ctx), { kind: 'team.repository_added', ownerId: org.id, facts })
  })
}

/**
 * Takes a repository from a team; the repository stays. A team that includes all repositories keeps it: the contract
 * answers that with success too. Throws as `attachRepository`.
 */
export async function detachRepository(ctx: UserCtx, input: TeamRepositoryPath): Promise<void> {
  const { team, org, repository } = await getAdministered(ctx, input)
  await changeTeams(ctx, org.id, async trx => {
    // As it is now: it may have come to include all at this moment.
    if ((await lockTeam(trx, team.id))?.includes_all_repositories) return
    if (!(await detach(trx, team.id, repository.id))) return
    const facts = {
      teamId: team.id,
      team: team.name,
      repositoryId: repository.id,
      repository: repository.name,
    }
    await recordEvent(trx, originOf(ctx), { kind: 'team.repository_removed', ownerId: org.id, facts })
  })
}

async function getAdministered(
  ctx: UserCtx,
  input: TeamRepositoryPath,
): Promise<{ team: TeamRow; org: Account; repository: RepositoryRow }> {
  const { team, org } = await loadTeam(ctx, input.id, 'membership')
  const repository = await findTeamRepository(ctx, org, input.repo)
  await requireRepositoryAdmin(ctx, org, repository)
  return { team, org, repository }
}
