import { seesOnlyPublic } from '@/server/access'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { type Page, type PageRequest, pageFromRows } from '@/server/kernel/pagination'
import { viewRepositories } from '@/server/repos'
import type { Repository } from '@/server/repos/schema'
import { loadTeam } from '../load'
import type { BrowseRepositoriesInput, TeamRepositoryPath } from '../schema'
import { findTeamRepository } from './load'
import {
  countMatchingRepositories,
  countPublicRepositories,
  isAttached,
  selectMatchingRepositories,
  selectPublicRepositories,
  selectRepositories,
} from './store'

/**
 * Returns a page of a team's repositories, each with the caller's permissions.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller is a
 * member of the organization but not of the team.
 */
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

/**
 * Returns a page of the team's repositories whose name or description contains the text, each with the
 * caller's permissions.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller is a
 * member of the organization but not of the team.
 */
export async function browseRepositories(
  ctx: UserCtx,
  input: BrowseRepositoriesInput,
): Promise<Page<Repository>> {
  const { team } = await loadTeam(ctx, input.id, 'membership')
  const { q, sort, page, limit } = input
  const wanted = { q, sort, onlyPublic: seesOnlyPublic(ctx.caller) }
  if (q === '' && sort !== 'updated' && !wanted.onlyPublic) {
    const rows = await selectRepositories(ctx.db, team.id, input, sort)
    return { items: await viewRepositories(ctx, rows), total: team.repository_count, page, limit }
  }
  const rows = await selectMatchingRepositories(ctx.db, team.id, wanted, input)
  const found = await pageFromRows(input, rows, () => countMatchingRepositories(ctx.db, team.id, wanted))
  return { ...found, items: await viewRepositories(ctx, rows) }
}

/**
 * Returns one repository of a team.
 * @throws {DomainError} notFound if the team does not exist for the caller or does not have the repository;
 * forbidden if the caller is a member of the organization but not of the team.
 */
export async function getTeamRepository(ctx: UserCtx, input: TeamRepositoryPath): Promise<Repository> {
  const { team, org } = await loadTeam(ctx, input.id, 'membership')
  const repository = await findTeamRepository(ctx, org, input.repo)
  if (!(await isAttached(ctx.db, team.id, repository.id))) throw notFound()
  if (seesOnlyPublic(ctx.caller) && repository.is_private) throw notFound()
  const [shown] = await viewRepositories(ctx, [repository])
  if (!shown) throw notFound()
  return shown
}
