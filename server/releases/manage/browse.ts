import { countCommitsSince } from '@/server/code'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { pageFromRows } from '@/server/kernel/pagination'
import { wireTime } from '@/server/kernel/wire'
import type { RepoPath } from '@/server/repos/schema'
import { loadReleaseByTag, loadReleases, type ReleasesFor } from '../load'
import { canWriteReleases } from '../policy'
import type { TagPath } from '../schema'
import { findLatestRelease } from '../store'
import type {
  BrowsedReleases,
  BrowseReleasesInput,
  LatestRelease,
  ReleasePageAnswer,
  ShownRelease,
} from './schema'
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
  const items = await viewShownReleases(ctx, found, selected.items, beginning)
  const newest = input.page === 1 ? items.find(({ draft }) => !draft) : undefined
  return {
    ...selected,
    items: await Promise.all(
      items.map(item => (item === newest ? withCommitsSince(ctx, found, item) : item)),
    ),
    counts: { ...counts, draft: found.seesDrafts ? counts.draft : 0 },
    may_write: canWriteReleases(found),
  }
}

/**
 * Returns the names of a repository's newest release that is neither a draft nor a pre-release; null if there is none.
 * @throws {DomainError} as `browseReleases`.
 */
export async function showLatestRelease(ctx: ServiceCtx, path: RepoPath): Promise<LatestRelease | null> {
  const found = await loadReleases(ctx, path, 'read')
  const release = await findLatestRelease(ctx.db, found.repository.id)
  if (!release) return null
  const { tag_name, title, created_at } = release
  return { tag_name, title: title || tag_name, created_at: wireTime(created_at) }
}

/**
 * Returns a release for its page, by tag name, ignoring case.
 * @throws {DomainError} as `browseReleases`, and notFound also for a draft that the caller cannot see.
 */
export async function showReleasePage(ctx: ServiceCtx, path: TagPath): Promise<ReleasePageAnswer> {
  const found = await loadReleaseByTag(ctx, path, 'read')
  const [release] = await viewShownReleases(ctx, found, [found.release])
  return {
    release: await withCommitsSince(ctx, found, release as ShownRelease),
    may_write: canWriteReleases(found),
  }
}

/** Each of these can start a process, so a list has it only for one release. */
async function withCommitsSince(
  ctx: ServiceCtx,
  found: ReleasesFor,
  release: ShownRelease,
): Promise<ShownRelease> {
  if (release.draft) return release
  return { ...release, commits_since: await countCommitsSince(ctx, found, release.tag_name) }
}
