import { wireTime } from '@/server/kernel/wire'
import { fileKindOf } from './file-kind'
import type { ShownArtifact } from './schema'
import type { ShownArtifactRow } from './store'

/**
 * Converts an artifact to the shape that pages use. An artifact past its expiry is shown as expired even
 * before it is marked so.
 */
export function viewShownArtifact(artifact: ShownArtifactRow, now: Date): ShownArtifact {
  const isPending = artifact.status === 'pending'
  const isExpired = !isPending && (artifact.status === 'expired' || artifact.expires_at <= now)
  return {
    id: artifact.id,
    name: artifact.name,
    attempt: artifact.attempt,
    job: { id: artifact.job_id, name: artifact.job_name },
    state: isPending ? 'uploading' : isExpired ? 'expired' : 'available',
    content_type: artifact.content_type,
    kind: fileKindOf(artifact.content_type, artifact.name),
    size: isPending ? (artifact.received ?? 0) : artifact.size,
    sha256: artifact.sha256?.toString('hex') ?? null,
    created_at: wireTime(artifact.created_at),
    expires_at: wireTime(artifact.expires_at),
  }
}
