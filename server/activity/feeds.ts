import { subjectOf, visibleRepositories } from '@/server/access'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { offsetOf, type Page, type PageRequest } from '@/server/kernel/pagination'
import { loadOrganization } from '@/server/orgs'
import { getRepository, type RepositoryWithAccess, viewHome, viewTips } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { loadTeam } from '@/server/teams'
import { getAccountOrMoved } from '@/server/users'
import type { Activity, RepositoryHomePage } from './schema'
import { countFeed, type FeedFilter, type FeedSource, selectFeed } from './store'
import { viewActivities } from './view'

type FeedRequest = PageRequest & { date?: string | undefined }

/**
 * Lists a page of what happened in a team's repositories, as far as the caller may see them.
 * @throws {DomainError} notFound outside the organization, forbidden for members of the organization who are not in the
 * team.
 */
export async function getTeamFeed(
  ctx: UserCtx,
  input: FeedRequest & { id: number },
): Promise<Page<Activity>> {
  const { team } = await loadTeam(ctx, input.id, 'membership')
  return await feed(ctx, { teamId: team.id, ownerId: team.org_id }, input)
}

/**
 * Lists a page of what happened in an organization's repositories, as far as the caller may see them.
 * @throws {DomainError} notFound, moved after a rename.
 */
export async function getOrgFeed(
  ctx: ServiceCtx,
  input: FeedRequest & { org: string },
): Promise<Page<Activity>> {
  const { org } = await loadOrganization(ctx, input.org, 'view')
  return await feed(ctx, { ownerId: org.id }, input)
}

/**
 * Lists a page of what a person did and, unless `only-performed-by` is set, of what others did in their repositories.
 * Empty for a person who hides their activity from the caller.
 * @throws {DomainError} notFound, moved after a rename.
 */
export async function getUserFeed(
  ctx: ServiceCtx,
  input: FeedRequest & { username: string; 'only-performed-by'?: boolean },
): Promise<Page<Activity>> {
  const account = await getAccountOrMoved(ctx, input.username)
  const { page, limit } = input
  if (account.hide_activity && !isSelf(ctx.caller, account.id) && !isAdmin(ctx.caller)) {
    return { page, limit, items: [], total: 0 }
  }
  const orOwner = !input['only-performed-by']
  return await feed(ctx, { actorId: account.id, orOwner }, input)
}

/**
 * Lists a page of what happened in the caller's repositories and those of their organizations, as far as they may see
 * it.
 */
export async function getMyFeed(ctx: UserCtx, input: PageRequest): Promise<Page<Activity>> {
  return await feed(ctx, { memberId: ctx.caller.user.id }, input)
}

/**
 * Lists a page of what happened in one repository.
 * @throws {DomainError} notFound, moved after a rename.
 */
export async function getRepositoryFeed(
  ctx: ServiceCtx,
  input: FeedRequest & RepoPath,
): Promise<Page<Activity>> {
  const { repository } = await getRepository(ctx, input)
  return await feed(ctx, { repositoryId: repository.id }, input)
}

// Without what the caller may not know of, and what people did who hide it from them.
async function feed(ctx: ServiceCtx, source: FeedSource, request: FeedRequest): Promise<Page<Activity>> {
  const filter = filterOf(ctx, source, request.date)
  const { page, limit } = request
  const total = await countFeed(ctx.db, filter)
  // Beyond the last entry a query would read all the owner's other events.
  const rows = offsetOf(request) < total ? await selectFeed(ctx.db, filter, request) : []
  return {
    page,
    limit,
    total,
    items: await viewActivities(ctx, rows, { personId: 'actorId' in source ? source.actorId : undefined }),
  }
}

/** What a feed of the caller's may hold. */
function filterOf(ctx: ServiceCtx, source: FeedSource, date?: string): FeedFilter {
  const subject = subjectOf(ctx.caller)
  return {
    source,
    subject,
    visible: visibleRepositories(subject),
    readable: {
      code: visibleRepositories(subject, 'repo.code'),
      releases: visibleRepositories(subject, 'repo.releases'),
    },
    date,
  }
}

const shownEntries = 5

/**
 * Shows what the home page of a repository holds: the repository, its newest branches, and what happened last. Looks up
 * the caller's access once for all of it, and starts at most one git command for the branches.
 * @throws {DomainError} notFound, moved after a rename.
 */
export async function showRepositoryHome(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryHomePage> {
  const found = await getRepository(ctx, path)
  const [home, tips] = await Promise.all([viewHome(ctx, found), viewTips(ctx, found)])
  return { ...home, tips, latest: await latestActivity(ctx, found, home.repository) }
}

async function latestActivity(
  ctx: ServiceCtx,
  { repository: { id, is_empty } }: RepositoryWithAccess,
  shown: RepositoryHomePage['repository'],
): Promise<RepositoryHomePage['latest']> {
  if (is_empty) return null
  const filter = filterOf(ctx, { repositoryId: id })
  const rows = await selectFeed(ctx.db, filter, { page: 1, limit: shownEntries + 1 })
  const items = await viewActivities(ctx, rows.slice(0, shownEntries), { repositories: [shown] })
  return { items, more: rows.length > shownEntries }
}
