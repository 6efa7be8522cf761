import { subjectOf, visibleRepositories } from '@/server/access'
import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { offsetOf, type Page, type PageRequest } from '@/server/kernel/pagination'
import { loadOrganization } from '@/server/orgs'
import { getRepository, type RepositoryWithAccess, viewHome } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { loadTeam } from '@/server/teams'
import { getAccountOrMoved } from '@/server/users'
import type { Activity, RepositoryHomePage } from './schema'
import { countFeed, type FeedFilter, type FeedSource, selectFeed } from './store'
import { viewActivities } from './view'

type FeedRequest = PageRequest & { date?: string | undefined }

/**
 * Returns a page of the activity in a team's repositories that is visible to the caller.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller is a
 * member of the organization but not of the team.
 */
export async function getTeamFeed(
  ctx: UserCtx,
  input: FeedRequest & { id: number },
): Promise<Page<Activity>> {
  const { team } = await loadTeam(ctx, input.id, 'membership')
  return await feed(ctx, { teamId: team.id, ownerId: team.org_id }, input)
}

/**
 * Returns a page of the activity in an organization's repositories that is visible to the caller.
 * @throws {DomainError} notFound if the organization is absent or hidden from the caller; moved if it was
 * renamed.
 */
export async function getOrgFeed(
  ctx: ServiceCtx,
  input: FeedRequest & { org: string },
): Promise<Page<Activity>> {
  const { org } = await loadOrganization(ctx, input.org, 'view')
  return await feed(ctx, { ownerId: org.id }, input)
}

/**
 * Returns a page of a person's activity and, unless `only-performed-by` is set, of others' activity in the
 * person's repositories. Empty if the person hides their activity from the caller.
 * @throws {DomainError} notFound if the person is absent or hidden from the caller; moved if they were
 * renamed.
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
 * Returns a page of the activity in the repositories of the caller and of the caller's organizations that is
 * visible to the caller.
 */
export async function getMyFeed(ctx: UserCtx, input: PageRequest): Promise<Page<Activity>> {
  return await feed(ctx, { memberId: ctx.caller.user.id }, input)
}

/**
 * Returns a page of the activity in one repository.
 * @throws {DomainError} notFound if the repository does not exist for the caller; moved if it was renamed.
 */
export async function getRepositoryFeed(
  ctx: ServiceCtx,
  input: FeedRequest & RepoPath,
): Promise<Page<Activity>> {
  const { repository } = await getRepository(ctx, input)
  return await feed(ctx, { repositoryId: repository.id }, input)
}

// Leaves out activity that is hidden from the caller, including that of people who hide theirs.
async function feed(ctx: ServiceCtx, source: FeedSource, request: FeedRequest): Promise<Page<Activity>> {
  const filter = filterOf(ctx, source, request.date)
  const { page, limit } = request
  const total = await countFeed(ctx.db, filter)
  // A page beyond the last entry would make the query read all other events of the owner.
  const rows = offsetOf(request) < total ? await selectFeed(ctx.db, filter, request) : []
  return {
    page,
    limit,
    total,
    items: await viewActivities(ctx, rows, { personId: 'actorId' in source ? source.actorId : undefined }),
  }
}

/** Returns the filter for the entries of a feed that are visible to the caller. */
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
 * Returns the data of a repository's home page: the repository and its latest activity. Determines the caller's
 * access once for all of it.
 * @throws {DomainError} notFound if the repository does not exist for the caller; moved if it was renamed.
 */
export async function showRepositoryHome(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryHomePage> {
  const found = await getRepository(ctx, path)
  const home = await viewHome(ctx, found)
  return { ...home, latest: await latestActivity(ctx, found, home.repository) }
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
