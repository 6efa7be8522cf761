import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import type { RepoPath } from '@/server/repos/schema'
import { loadRelease, loadReleaseByTag, loadReleases } from './load'
import type { Release, ReleasePath, TagPath } from './schema'
import { findLatestRelease } from './store'
import { viewRelease } from './view'

/**
 * Returns a release by ID.
 * @throws {DomainError} notFound, also for a draft that the caller cannot see; moved after a rename;
 * forbidden without access to releases.
 */
export async function getRelease(ctx: ServiceCtx, path: ReleasePath): Promise<Release> {
  const found = await loadRelease(ctx, path, 'read')
  return await viewRelease(ctx, found, found.release)
}

/**
 * Returns a release by tag name, ignoring case.
 * @throws {DomainError} as `getRelease`.
 */
export async function getReleaseByTag(ctx: ServiceCtx, path: TagPath): Promise<Release> {
  const found = await loadReleaseByTag(ctx, path, 'read')
  return await viewRelease(ctx, found, found.release)
}

/**
 * Returns a repository's newest release that is neither a draft nor a pre-release.
 * @throws {DomainError} as `getRelease`, and notFound if there is none.
 */
export async function getLatestRelease(ctx: ServiceCtx, path: RepoPath): Promise<Release> {
  const found = await loadReleases(ctx, path, 'read')
  const release = await findLatestRelease(ctx.db, found.repository.id)
  if (!release) throw deleted('release')
  return await viewRelease(ctx, found, release)
}
