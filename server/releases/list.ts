import type { ServiceCtx } from '@/server/kernel/ctx'
import { type Page, pageFromRows } from '@/server/kernel/pagination'
import { loadReleases } from './load'
import type { ListReleasesInput, Release } from './schema'
import { countReleases, type ReleaseFilter, selectReleases } from './store'
import { viewReleases } from './view'

/**
 * Lists a page of a repository's releases, newest first. Drafts are included only for callers who can see
 * them.
 * @throws {DomainError} notFound; moved after a rename; forbidden without access to releases.
 */
export async function listReleases(ctx: ServiceCtx, input: ListReleasesInput): Promise<Page<Release>> {
  const found = await loadReleases(ctx, input, 'read')
  const { page, limit, draft, 'pre-release': isPrerelease } = input
  const { id } = found.repository
  if (draft && !found.seesDrafts) return { page, limit, total: 0, items: [] }
  const filter: ReleaseFilter = { isDraft: found.seesDrafts ? draft : false, isPrerelease }
  const rows = await selectReleases(ctx.db, id, filter, input)
  const selected = await pageFromRows(input, rows, () => countReleases(ctx.db, id, filter))
  return { ...selected, items: await viewReleases(ctx, found, selected.items) }
}
