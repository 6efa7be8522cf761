import type { ServiceCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { hasExpired } from './load'
import type { Artifact } from './schema'
import type { ArtifactOfRun } from './store'

interface RepositoryNames {
  owner: { name: string }
  repository: { name: string }
}

/** Converts an artifact to its wire shape. */
export function viewArtifact(
  ctx: Pick<ServiceCtx, 'config' | 'clock'>,
  { owner, repository }: RepositoryNames,
  row: ArtifactOfRun,
): Artifact {
  const url = `${ctx.config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}/actions/artifacts/${row.id}`
  return {
    id: row.id,
    name: row.name,
    size_in_bytes: row.size,
    url,
    archive_download_url: `${url}/zip`,
    expired: hasExpired(ctx, row),
    workflow_run: { id: row.run_id, repository_id: row.repository_id, head_sha: row.head_sha },
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    expires_at: wireTime(row.expires_at),
    digest: `sha256:${row.sha256?.toString('hex') ?? ''}`,
    content_type: row.content_type,
  }
}
