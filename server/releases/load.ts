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

/** A repository whose releases the caller can read or write, depending on `Need`. */
export type ReleasesFor<Need extends ReleasesNeed = ReleasesNeed> = Allowed<
  RepositoryWithAccess & { seesDrafts: boolean },
  Need
>

/** A release that the caller can read or write, depending on `Need`, with its repository. */
export type ReleaseFor<Need extends ReleasesNeed = ReleasesNeed> = ReleasesFor<Need> & { release: ReleaseRow }

/**
 * Loads a repository if the caller has the required permission on its releases.
 * @throws {DomainError} notFound; moved after a rename; forbidden without the permission.
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
 * Loads a release by ID if the caller has the required permission.
 * @throws {DomainError} as `loadReleases`, and notFound if the release belongs to another repository or is a
 * draft that the caller cannot see.
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
 * Loads a release by its ID and its repository's ID, which do not change when the repository is renamed, if
 * the caller has the required permission.
 * @throws {DomainError} as `loadRelease`, except moved.
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
 * Loads a release by tag name, ignoring case, if the caller has the required permission. Everyone who can
 * write releases finds drafts, whatever the scopes of their token, because existing clients rely on it.
 * @throws {DomainError} as `loadReleases`, and notFound if the tag has no release that the caller can see.
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

// The permission is checked last, so that for callers who cannot see a draft, it fails like a release that
// does not exist.
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
