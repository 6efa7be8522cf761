import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { changeTeams } from '../change-teams'
import { lockTeam } from '../store'
import type { TeamRepository } from './load'
import { attach, detach } from './store'

/**
 * Adds a repository of its organization to a team. Does nothing for one the team has.
 * @throws {DomainError} notFound for what is deleted concurrently.
 */
export async function attachRepository(
  ctx: UserCtx,
  { team, org, repository }: TeamRepository,
): Promise<void> {
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
 * @throws {DomainError} notFound for what is deleted concurrently.
 */
export async function detachRepository(
  ctx: UserCtx,
  { team, org, repository }: TeamRepository,
): Promise<void> {
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
