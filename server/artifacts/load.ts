import { type ActionsFor, type ActionsNeed, loadActions } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted, notFound } from '@/server/kernel/errors'
import type { ArtifactPath } from './schema'
import { type ArtifactRow, findArtifact, findArtifactBelow } from './store'

/** Artifact that the caller may read or delete, with its repository. It may have expired. */
export type ArtifactFor<Need extends ActionsNeed = ActionsNeed> = ActionsFor<Need> & { artifact: ArtifactRow }

/** Artifact with an object in the storage. */
export type StoredArtifact = ArtifactRow & { sha256: Buffer; storage_key: string }

/**
 * Loads an artifact by ID if the caller has the requested access to its repository's workflow runs.
 * @throws {DomainError} as `loadActions`, and notFound if the artifact is not finished or not in this
 * repository.
 */
export async function loadArtifact<const Need extends ActionsNeed>(
  ctx: ServiceCtx,
  path: ArtifactPath,
  need: Need,
): Promise<ArtifactFor<Need>> {
  const found = await loadActions(ctx, path, need)
  const artifact = await findArtifact(ctx.db, path.artifact_id)
  if (artifact?.repository_id !== found.repository.id || artifact.status === 'pending')
    throw deleted('artifact')
  return { ...found, artifact }
}

/**
 * Finds an artifact for a client whose signature has been checked. If `below` is set, the artifact must be in
 * the repository of that name.
 * @throws {DomainError} notFound, also if it has expired.
 */
export async function findPermitted(
  ctx: Pick<ServiceCtx, 'db' | 'clock'>,
  id: number,
  below?: { owner: string; repo: string },
): Promise<StoredArtifact> {
  const artifact = await (below ? findArtifactBelow(ctx.db, id, below) : findArtifact(ctx.db, id))
  if (!artifact || artifact.status === 'pending') throw deleted('artifact')
  return requireStored(ctx, artifact)
}

/**
 * Requires that an artifact has not expired.
 * @throws {DomainError} notFound.
 */
export function requireStored(ctx: Pick<ServiceCtx, 'clock'>, artifact: ArtifactRow): StoredArtifact {
  const { sha256, storage_key } = artifact
  if (hasExpired(ctx, artifact) || !sha256 || !storage_key) throw notFound('Artifact has expired')
  return { ...artifact, sha256, storage_key }
}

/** Whether an artifact can no longer be downloaded, even if the sweep has not deleted its object yet. */
export const hasExpired = (
  { clock }: Pick<ServiceCtx, 'clock'>,
  { status, expires_at }: ArtifactRow,
): boolean => status === 'expired' || expires_at <= clock.now()
