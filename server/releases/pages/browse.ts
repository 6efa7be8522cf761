import type { ServiceCtx } from '@/server/kernel/ctx'
import { pageFromRows } from '@/server/kernel/pagination'
import { loadReleaseByTag, loadReleases } from '../load'
import { canWriteReleases } from '../policy'
import type { TagPath } from '../schema'
import type { BrowsedReleases, BrowseReleasesInput, ReleasePageAnswer, TagNames } from './schema'
import {
  countReleasesByKind,
  countShownReleases,
  selectReleasedTags,
  selectShownReleases,
  type Wanted,
} from './store'
import { viewShownReleases } from './view'

/** Of the notes of each release, when there are many. */
const bodyLines = 16

/**
 * Lists a page of a repository's releases for people, with how many there are of each kind, and the beginning of long notes. `q` keeps only those whose
 * title or tag contains it.
 * @throws {DomainError} notFound, moved after a rename, forbidden without access to releases.
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
    items: await viewShownReleases(ctx, found, selected.items, bodyLines),
    counts: { ...counts, draft: found.seesDrafts ? counts.draft : 0 },
    may_write: canWriteReleases(found),
  }
}

/**
 * Shows a release for people, by the name of its tag in any case.
 * @throws {DomainError} as `browseReleases`, and notFound also for a draft the caller may not learn of.
 */
export async function showReleasePage(ctx: ServiceCtx, path: TagPath): Promise<ReleasePageAnswer> {
  const found = await loadReleaseByTag(ctx, path, 'read')
  const [release] = await viewShownReleases(ctx, found, [found.release])
  return { release: release as ReleasePageAnswer['release'], may_write: canWriteReleases(found) }
}

/**
 * Tells which of these tags have a release that the caller may see.
 * @throws {DomainError} as `browseReleases`.
 */
export async function listReleasedTags(ctx: ServiceCtx, { tags, ...path }: TagNames): Promise<string[]> {
  const found = await loadReleases(ctx, path, 'read')
  return await selectReleasedTags(ctx.db, found.repository.id, { tags, withDrafts: found.seesDrafts })
}
