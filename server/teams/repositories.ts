import { seesOnlyPublic } from '@/server/access'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { loadTeam } from './find'
import { findTeamRepository } from './repository'
import {
  countPublicRepositories,
  selectPublicRepositories,
  selectRepositories,
} from './repository-list-store'
import { isAttached } from './repository-store'
import type { TeamRepositoryPath } from './schema'

/** A page of a team's repositories, each with what the caller may do on it. Throws as `loadTeam`. */
export async function listRepositories(
  ctx: UserCtx,
  input: PageRequest & { id: number },
): Promise<Page<Repository>> {
  const { team } = await loadTeam(ctx, input.id, 'membership')
  if (seesOnlyPublic(ctx.caller)) {
    const rows = await selectPublicRepositories(ctx.db, team.id, input)
    const page = await pageFromRows(input, rows, () => countPublicRepositories(ctx.db, team.id))
    return { ...page, items: await viewRepositories(ctx, rows) }
  }
  const rows = await selectRepositories(ctx.db, team.id, input)
  const { page, limit } = input
  return { items: await viewRepositories(ctx, rows), total: team.repository_count, page, limit }
}

/** One repository of a team. Throws as `loadTeam`, and notFound for one that is not in it. */
export async function getTeamRepository(ctx: UserCtx, input: TeamRepositoryPath): Promise<Repository> {
  const { team, org } = await loadTeam(ctx, input.id, 'membership')
  const repository = await findTeamRepository(ctx, org, input.repo)
  if (!(await isAttached(ctx.db, team.id, repository.id))) throw notFound()
  if (seesOnlyPublic(ctx.caller) && repository.is_private) throw notFound()
  const [shown] = await viewRepositories(ctx, [repository])
  if (!shown) throw notFound()
  return shown
}
