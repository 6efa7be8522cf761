import type { z } from 'zod'
import { id } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

export const ArtifactPath = RepoPath.extend({ artifact_id: id })
export type ArtifactPath = z.output<typeof ArtifactPath>
