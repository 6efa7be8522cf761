import { z } from 'zod'
import { pathText } from '@/server/kernel/wire'
import { TeamPage } from '../schema'

export const RepositoryTeamPath = z.object({ owner: pathText, repo: pathText, team: pathText })
export type RepositoryTeamPath = z.output<typeof RepositoryTeamPath>
export const RepositoryTeamsInput = z.object({ owner: pathText, repo: pathText })

/** The teams that have a repository, as its settings list them. */
export const RepositoryTeams = TeamPage.extend({ may_change: z.boolean() })
export type RepositoryTeams = z.output<typeof RepositoryTeams>
