import type { ServiceCtx } from '@/server/kernel/ctx'
import { pageFromRows } from '@/server/kernel/pagination'
import { loadReleaseByTag, loadReleases } from '../load'
import { canWriteReleases } from '../policy'
import type { TagPath } from '../schema'
import type { BrowsedReleases, BrowseReleasesInput, ReleasePageAnswer } from './schema'
import { countReleasesByKind, countShownReleases, selectShownReleases, type Wanted } from './store'
import { viewShownReleases } from './view'

/**
 * The maximum number of lines of notes, and of files, that a list shows of each release. A release's own page
 * shows everything.
 */
const beginning = { bodyLines: 16, files: 50 }

/**
 * Lists a page of a repository's releases, with the number of releases of each kind. Long notes and long
 * lists of files are truncated. `q` matches a substring of the title or tag.
 * @throws {DomainError} notFound; moved after a rename; forbidden without access to releases.
 */
export async function browseReleases(ctx: ServiceCtx, input: BrowseReleasesInput): Promise<BrowsedReleases> {
  const found = await loadReleases(ctx, input, 'read')
  const { id } = found.repository
  const wanted: Wanted = { q: input.q?.trim() ?? '', kind: input.kind, withDrafts: found.seesDrafts }
  const [rows, counts] = await Promise.all([
    selectShownReleases(ctx.db, id, wanted, input),
    countReleasesByKind(ctx.db, id),
  ])
  const selected = await pageFromRows(input, rows, () => countShownReleases(ctx.db, id, wanted))
  return {
    ...selected,
    items: await viewShownReleases(ctx, found, selected.items, beginning),
    counts: { ...counts, draft: found.seesDrafts ? counts.draft : 0 },
    may_write: canWriteReleases(found),
  }
}

/**
 * Returns a release for its page, by tag name, ignoring case.
 * @throws {DomainError} as `browseReleases`, and notFound also for a draft that the caller cannot see.
 */
export async function showReleasePage(ctx: ServiceCtx, path: TagPath): Promise<ReleasePageAnswer> {
  const found = await loadReleaseByTag(ctx, path, 'read')
  const [release] = await viewShownReleases(ctx, found, [found.release])
  return { release: release as ReleasePageAnswer['release'], may_write: canWriteReleases(found) }
}
