import type { ServiceCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import type { RepoPath } from '@/server/repos/schema'
import { loadRelease, loadReleaseByTag, loadReleases } from './load'
import type { Release, ReleasePath, TagPath } from './schema'
import { findLatestRelease } from './store'
import { viewRelease } from './view'

/**
 * Shows a release by its id.
 * @throws {DomainError} notFound, also for a draft the caller may not learn of; moved after a rename; forbidden without
 * access to releases.
 */
export async function getRelease(ctx: ServiceCtx, path: ReleasePath): Promise<Release> {
  const found = await loadRelease(ctx, path, 'read')
  return await viewRelease(ctx, found, found.release)
}

/**
 * Shows a release by the name of its tag, in any case.
 * @throws {DomainError} as `getRelease`.
 */
export async function getReleaseByTag(ctx: ServiceCtx, path: TagPath): Promise<Release> {
  const found = await loadReleaseByTag(ctx, path, 'read')
  return await viewRelease(ctx, found, found.release)
}

/**
 * Shows the newest release that is neither a draft nor a pre-release.
 * @throws {DomainError} as `getRelease`, and notFound where there is none.
 */
export async function getLatestRelease(ctx: ServiceCtx, path: RepoPath): Promise<Release> {
  const found = await loadReleases(ctx, path, 'read')
  const release = await findLatestRelease(ctx.db, found.repository.id)
  if (!release) throw gone('release')
  return await viewRelease(ctx, found, release)
}
