import { repositoryAccess, subjectOf } from '@/server/access'
import { atLeast } from '@/server/access/access-mode'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import type { RepositoryRow } from '@/server/repos'
import { changeTeams } from '../change-teams'
import { loadTeam } from '../load'
import type { TeamRepositoryPath } from '../schema'
import { lockTeam, type TeamRow } from '../store'
import { findTeamRepository } from './list'
import { attach, detach } from './store'

/**
 * Adds a repository of its organization to a team. Does nothing for one the team has.
 * @throws {DomainError} notFound outside the organization and for a repository it does not have, forbidden for callers
 * who are not in the team or do not administer the repository.
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
 * Removes a repository from a team; the repository stays. A team that includes all repositories keeps it, which the
 * contract answers with success too.
 * @throws {DomainError} notFound outside the organization and for a repository it does not have, forbidden for callers
 * who are not in the team or do not administer the repository.
 */
export async function detachRepository(ctx: UserCtx, input: TeamRepositoryPath): Promise<void> {
  const { team, org, repository } = await getAdministered(ctx, input)
  await changeTeams(ctx, org.id, async trx => {
    // Another call may have made it include all repositories since it was loaded.
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

/** @throws {DomainError} forbidden unless the caller may administer the code of this repository. */
async function requireRepositoryAdmin(ctx: UserCtx, org: Account, repository: RepositoryRow): Promise<void> {
  const access = await repositoryAccess(ctx.db, subjectOf(ctx.caller), { ...repository, owner: org })
  if (!atLeast(access.units['repo.code'].mode, 'admin')) {
    throw forbidden('Must have admin-level access to the repository')
  }
}
