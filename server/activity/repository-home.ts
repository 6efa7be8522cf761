import type { ServiceCtx } from '@/server/kernel/ctx'
import { getRepository, type RepositoryWithAccess, viewHome, viewTips } from '@/server/repos'
import { filterOf } from './feeds'
import type { RepositoryHomePage } from './schema'
import { selectFeed } from './store'
import { viewActivities } from './view'

const shownEntries = 5

/**
 * Shows what the home page of a repository holds: the repository, where its branches stand, and what happened last.
 * Its rights are looked up once for all of that, and git is asked once.
 * @throws {DomainError} notFound, moved after a rename.
 */
export async function showRepositoryHome(
  ctx: ServiceCtx,
  path: { owner: string; repo: string },
): Promise<RepositoryHomePage> {
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
