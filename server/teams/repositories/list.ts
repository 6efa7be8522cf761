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
 * Lists a page of a team's repositories, each with what the caller may do on it.
 * @throws {DomainError} notFound outside the organization, forbidden for members of the organization who are not in the
 * team.
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
 * Lists a page of the repositories of a team that fit, each with what the caller may do on it. The text is looked for in
 * names and descriptions.
 * @throws {DomainError} notFound outside the organization, forbidden for members of the organization who are not in the
 * team.
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
 * Shows one repository of a team.
 * @throws {DomainError} notFound outside the organization and for a repository the team does not have, forbidden for
 * members of the organization who are not in the team.
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
