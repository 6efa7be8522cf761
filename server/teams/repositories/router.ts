import { z } from 'zod'
import { signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { RepositoryTeamPath, RepositoryTeams, RepositoryTeamsInput, Team, TeamPage } from '../schema'
import {
  addTeamToRepository,
  browseTeamsOfRepository,
  getTeamOfRepository,
  listTeamsOfRepository,
  removeTeamFromRepository,
} from './by-repository'

const common = { tag: 'repository', scopes: ['repository'] } as const
const noTeams = {
  404: 'No such repository or team, or not visible to you.',
  405: 'The repository belongs to a person.',
}
const refused = { ...noTeams, 403: 'You may not say which teams have the repository.' }

/** Part of the room's router. */
export const ofRepositoryProcedures = {
  listOfRepository: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/teams', {
        ...common,
        page: 'count',
        summary: 'List all teams that have a repository',
        errors: noTeams,
      }),
    )
    .input(RepositoryTeamsInput)
    .output(TeamPage)
    .query(({ ctx, input }) => listTeamsOfRepository(ctx, input)),

  browseOfRepository: signedInProcedure
    .input(RepositoryTeamsInput)
    .output(RepositoryTeams)
    .query(({ ctx, input }) => browseTeamsOfRepository(ctx, input)),

  getOfRepository: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/teams/{team}', {
        ...common,
        summary: 'Get a team that has a repository',
        errors: noTeams,
      }),
    )
    .input(RepositoryTeamPath)
    .output(Team)
    .query(({ ctx, input }) => getTeamOfRepository(ctx, input)),

  addToRepository: signedInProcedure
    .meta(
      rest('PUT', '/repos/{owner}/{repo}/teams/{team}', {
        ...common,
        status: 204,
        summary: 'Give a repository to a team',
        errors: { ...refused, 422: 'The team has it already.' },
      }),
    )
    .input(RepositoryTeamPath)
    .output(z.void())
    .mutation(({ ctx, input }) => addTeamToRepository(ctx, input)),

  removeFromRepository: signedInProcedure
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/teams/{team}', {
        ...common,
        status: 204,
        summary: 'Take a repository from a team',
        errors: { ...refused, 422: 'The team does not have it, or it includes all repositories.' },
      }),
    )
    .input(RepositoryTeamPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeTeamFromRepository(ctx, input)),
}
