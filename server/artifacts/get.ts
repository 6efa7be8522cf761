import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { loadArtifact } from './load'
import type { Artifact, ArtifactPath } from './schema'
import { findArtifactOfRun } from './store'
import { viewArtifact } from './view'

/**
 * Returns an artifact, expired or not.
 * @throws {DomainError} notFound, also while it is being uploaded; moved after a rename; forbidden without
 * access to actions.
 */
export async function getArtifact(ctx: ServiceCtx, path: ArtifactPath): Promise<Artifact> {
  const found = await loadArtifact(ctx, path, 'read')
  const row = await findArtifactOfRun(ctx.db, found.artifact.id)
  if (!row) throw deleted('artifact')
  return viewArtifact(ctx, found, row)
}
