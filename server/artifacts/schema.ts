import { z } from 'zod'
import { githubPageInput } from '@/server/kernel/pagination'
import { id, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

export const Artifact = z
  .object({
    id: wireId,
    name: z.string(),
    size_in_bytes: wireId,
    url: z.string(),
    archive_download_url: z.string().describe('A URL that redirects to the file.'),
    expired: z.boolean().describe('Whether the file can no longer be downloaded.'),
    workflow_run: z.object({ id: wireId, repository_id: wireId, head_sha: z.string() }),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
    expires_at: wireTimeSchema,
    digest: z
      .string()
      .describe('The SHA-256 digest of the file: `sha256:` followed by 64 hexadecimal digits.'),
    content_type: z.string().describe('`application/zip`, unless the job uploaded a single unzipped file.'),
  })
  .meta({ id: 'ActionArtifact' })
export type Artifact = z.output<typeof Artifact>

export const ArtifactList = z
  .object({ artifacts: z.array(Artifact), total_count: wireId })
  .meta({ id: 'ActionArtifactsResponse' })
export type ArtifactList = z.output<typeof ArtifactList>

export const ArtifactPath = RepoPath.extend({ artifact_id: id })
export type ArtifactPath = z.output<typeof ArtifactPath>

const listed = {
  ...githubPageInput,
  name: queryText.optional().describe('Only artifacts with this exact name.'),
}

export const ListArtifactsInput = RepoPath.extend(listed)
export type ListArtifactsInput = z.output<typeof ListArtifactsInput>
export const ListRunArtifactsInput = RepoPath.extend({ run: id, ...listed })
export type ListRunArtifactsInput = z.output<typeof ListRunArtifactsInput>
