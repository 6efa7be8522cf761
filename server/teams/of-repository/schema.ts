import { z } from 'zod'
import { pathText } from '@/server/kernel/wire'

export const RepositoryTeamPath = z.object({ owner: pathText, repo: pathText, team: pathText })
export type RepositoryTeamPath = z.output<typeof RepositoryTeamPath>
export const RepositoryTeamsInput = z.object({ owner: pathText, repo: pathText })
