import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadRepository, loadRepositoryById, type RepositoryWithAccess, requireNeed } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { mayWriteReleases, seesDrafts } from './policy'
import type { ReleasePath, TagPath } from './schema'
import { findRelease, findReleaseByTag, type ReleaseRow } from './store'

export type ReleasesNeed = 'read' | 'write'

/** A repository whose releases the caller may read or write. */
export type ReleasesFor<Need extends ReleasesNeed = ReleasesNeed> = Allowed<
  RepositoryWithAccess & { seesDrafts: boolean },
  Need
>

/** A release that the caller may read or write, with its repository. */
export type ReleaseFor<Need extends ReleasesNeed = ReleasesNeed> = ReleasesFor<Need> & { release: ReleaseRow }

/**
 * Loads a repository if the caller may read, or write, its releases.
 * @throws {DomainError} notFound, moved after a rename, forbidden without the permission.
 */
export async function loadReleases<const Need extends ReleasesNeed>(
  ctx: ServiceCtx,
  path: RepoPath,
  need: Need,
): Promise<ReleasesFor<Need>> {
  const found = await loadRepository(ctx, path, { unit: 'repo.releases', mode: need })
  return allow({ ...found, seesDrafts: seesDrafts(ctx, found) })
}

/**
 * Loads a release by id with the same permission check. A draft is not found for callers who may not see it.
 * @throws {DomainError} as `loadReleases`, and notFound if the release belongs to another repository.
 */
export async function loadRelease<const Need extends ReleasesNeed>(
  ctx: ServiceCtx,
  path: ReleasePath,
  need: Need,
): Promise<ReleaseFor<Need>> {
  const found = await loadReleases(ctx, path, 'read')
  const release = await findRelease(ctx.db, found.repository.id, path.id)
  return allowed(visible(found, release, found.seesDrafts), need)
}

/**
 * Loads a release by its id and its repository's id, so renames do not matter, with the same permission check.
 * @throws {DomainError} as `loadRelease`, but never moved.
 */
export async function loadReleaseById<const Need extends ReleasesNeed>(
  ctx: ServiceCtx,
  ids: { repository_id: number; release_id: number },
  need: Need,
): Promise<ReleaseFor<Need>> {
  const repository = await loadRepositoryById(ctx, ids.repository_id, { unit: 'repo.releases', mode: 'read' })
  const found: ReleasesFor<'read'> = allow({ ...repository, seesDrafts: seesDrafts(ctx, repository) })
  const release = await findRelease(ctx.db, ids.repository_id, ids.release_id)
  return allowed(visible(found, release, found.seesDrafts), need)
}

/**
 * Loads a release by tag name, case-insensitively, with the same permission check. Everyone who may write releases
 * finds drafts, whatever the scopes of their token: existing clients rely on it.
 * @throws {DomainError} as `loadReleases`, and notFound if the tag has no release.
 */
export async function loadReleaseByTag<const Need extends ReleasesNeed>(
  ctx: ServiceCtx,
  path: TagPath,
  need: Need,
): Promise<ReleaseFor<Need>> {
  const found = await loadReleases(ctx, path, 'read')
  const release = await findReleaseByTag(ctx.db, found.repository.id, path.tag)
  return allowed(visible(found, release, mayWriteReleases(found)), need)
}

// A caller who may not see a draft gets notFound before any permission error, as for a release that does not exist.
function allowed<Need extends ReleasesNeed>(found: ReleaseFor<'read'>, need: Need): ReleaseFor<Need> {
  requireNeed(found, { unit: 'repo.releases', mode: need })
  return allow(found)
}

function visible<Need extends ReleasesNeed>(
  found: ReleasesFor<Need>,
  release: ReleaseRow | undefined,
  withDrafts: boolean,
): ReleaseFor<Need> {
  if (!release || (release.is_draft && !withDrafts)) throw deleted('release')
  return { ...found, release }
}
