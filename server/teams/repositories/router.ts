import { z } from 'zod'
import { Repository, RepositoryPage } from '@/server/repos/schema'
import { signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { done, noSuchTeam, notInTeam, team } from '../rest'
import {
  BrowseRepositoriesInput,
  RepositoryTeamCandidatesInput,
  RepositoryTeamPath,
  RepositoryTeams,
  RepositoryTeamsInput,
  Team,
  TeamCandidate,
  TeamListInput,
  TeamPage,
  TeamRepositoriesPath,
  TeamRepositoryPath,
} from '../schema'
import { attachRepositories, detachRepositories } from './attach'
import {
  addTeamToRepository,
  browseTeamsOfRepository,
  getTeamOfRepository,
  listTeamCandidates,
  listTeamsOfRepository,
  removeTeamFromRepository,
} from './by-repository'
import { browseRepositories, getTeamRepository, listRepositories } from './list'
import { loadRepositoryTeam, loadTeamRepositories, loadTeamRepository, loadTeamsOfRepository } from './load'

const repository = { tag: 'repository', scopes: ['repository'] } as const
const noTeams = {
  404: 'The repository or team does not exist or is not visible to you.',
  405: 'The repository belongs to a user, not an organization.',
}
const refused = { ...noTeams, 403: "You cannot change the repository's teams." }
const noSuchRepository = `${noSuchTeam} This status is also returned if the organization does not own the repository.`
const notRepositoryAdmin = 'You are not on the team or do not have admin access to the repository.'

const repositoryTeam = signedInWith(RepositoryTeamPath, loadRepositoryTeam)
const teamRepository = signedInWith(TeamRepositoryPath, loadTeamRepository)
const teamRepositories = signedInWith(TeamRepositoriesPath, loadTeamRepositories)

/** tRPC procedures and REST endpoints for a team's repositories and a repository's teams. */
export const repositoryProcedures = {
  listOfRepository: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/teams', {
        ...repository,
        page: 'count',
        summary: 'List all teams with access to a repository',
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

  listCandidatesOfRepository: signedInWith(RepositoryTeamsInput, loadTeamsOfRepository)
    .input(RepositoryTeamCandidatesInput)
    .output(z.array(TeamCandidate))
    .query(({ ctx, input }) => listTeamCandidates(ctx, ctx.found, input.q)),

  getOfRepository: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/teams/{team}', {
        ...repository,
        summary: 'Get a team with access to a repository',
        errors: noTeams,
      }),
    )
    .input(RepositoryTeamPath)
    .output(Team)
    .query(({ ctx, input }) => getTeamOfRepository(ctx, input)),

  addToRepository: repositoryTeam
    .meta(
      rest('PUT', '/repos/{owner}/{repo}/teams/{team}', {
        ...repository,
        status: 204,
        summary: 'Add a team to a repository',
        errors: { ...refused, 422: 'The team already has access to the repository.' },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => addTeamToRepository(ctx, ctx.found)),

  removeFromRepository: repositoryTeam
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/teams/{team}', {
        ...repository,
        status: 204,
        summary: 'Remove a team from a repository',
        errors: {
          ...refused,
          422: 'The team does not have access to the repository, or it includes all repositories.',
        },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeTeamFromRepository(ctx, ctx.found)),

  listRepositories: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/repos', {
        ...team,
        page: 'links',
        summary: "List a team's repositories",
        errors: notInTeam,
      }),
    )
    .input(TeamListInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => listRepositories(ctx, input)),

  browseRepositories: signedInProcedure
    .input(BrowseRepositoriesInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => browseRepositories(ctx, input)),

  getRepository: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/repos/{org}/{repo}', {
        ...team,
        summary: "Get a team's repository",
        errors: {
          ...notInTeam,
          404: `${noSuchTeam} This status is also returned if the team does not have access to the repository.`,
        },
      }),
    )
    .input(TeamRepositoryPath)
    .output(Repository)
    .query(({ ctx, input }) => getTeamRepository(ctx, input)),

  attach: teamRepository
    .meta(
      rest('PUT', '/teams/{id}/repos/{org}/{repo}', {
        ...done,
        summary: 'Add a repository to a team',
        errors: { 403: notRepositoryAdmin, 404: noSuchRepository },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => attachRepositories(ctx, ctx.found)),

  attachAll: teamRepositories.output(z.void()).mutation(({ ctx }) => attachRepositories(ctx, ctx.found)),

  detach: teamRepository
    .meta(
      rest('DELETE', '/teams/{id}/repos/{org}/{repo}', {
        ...done,
        summary: 'Remove a repository from a team; a team that includes all repositories keeps it',
        errors: { 403: notRepositoryAdmin, 404: noSuchRepository },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx }) => void (await detachRepositories(ctx, ctx.found))),

  detachAll: teamRepositories
    .output(z.array(z.int()).readonly())
    .mutation(({ ctx }) => detachRepositories(ctx, ctx.found)),
}
