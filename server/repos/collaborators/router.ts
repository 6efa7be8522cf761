import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { Candidate } from '@/server/users/schema'
import { loadRepository } from '../load'
import { administration } from '../policy'
import { RepoPath } from '../schema'
import { addCollaborator } from './add'
import {
  listCollaboratorCandidates,
  listCollaborators,
  listWithModes,
  requireCollaborator,
  showPermission,
} from './list'
import { loadToLeave } from './load'
import { removeCollaborator } from './remove'
import {
  AddCollaboratorOption,
  CollaboratorCandidatesInput,
  CollaboratorPage,
  CollaboratorPath,
  CollaboratorsWithModes,
  ListCollaboratorsInput,
  RepoCollaboratorPermission,
} from './schema'

const common = { tag: 'repository', scopes: ['repository'] } as const
const noSuchRepository = 'The repository does not exist or is not visible to you.'
const unknownUser = { 422: 'The user does not exist or is not visible to you.' }

const administered = signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, administration))

export const collaboratorsRouter = router({
  list: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/collaborators', {
        ...common,
        page: 'count',
        summary: "List a repository's collaborators",
        errors: { 404: noSuchRepository },
      }),
    )
    .input(ListCollaboratorsInput)
    .output(CollaboratorPage)
    .query(({ ctx, input }) => listCollaborators(ctx, input)),

  listWithModes: signedInProcedure
    .input(ListCollaboratorsInput)
    .output(CollaboratorsWithModes)
    .query(({ ctx, input }) => listWithModes(ctx, input)),

  check: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/collaborators/{collaborator}', {
        ...common,
        status: 204,
        summary: 'Check whether a user is a collaborator',
        errors: {
          ...unknownUser,
          404: 'The user is not a collaborator, or the repository does not exist or is not visible to you.',
        },
      }),
    )
    .input(CollaboratorPath)
    .output(z.void())
    .query(({ ctx, input }) => requireCollaborator(ctx, input)),

  add: administered
    .meta(
      rest('PUT', '/repos/{owner}/{repo}/collaborators/{collaborator}', {
        ...common,
        status: 204,
        summary: 'Add a collaborator or change their permission',
        errors: {
          403: 'You do not have admin access to the repository, or the user is blocked.',
          404: noSuchRepository,
          422: 'The user does not exist, is an organization, or owns the repository.',
        },
      }),
    )
    .input(AddCollaboratorOption)
    .output(z.void())
    .mutation(({ ctx, input }) => addCollaborator(ctx, ctx.found, input)),

  remove: signedInWith(CollaboratorPath, loadToLeave)
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/collaborators/{collaborator}', {
        ...common,
        status: 204,
        summary: 'Remove a collaborator or leave a repository',
        errors: {
          ...unknownUser,
          403: 'You do not have admin access to the repository and are not this collaborator.',
          404: noSuchRepository,
        },
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => removeCollaborator(ctx, ctx.found, input.collaborator)),

  getPermission: signedInProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/collaborators/{collaborator}/permission', {
        ...common,
        summary: "Get a user's permission for a repository",
        errors: {
          403: 'You do not have admin access to the repository, and the user is not you.',
          404: 'The repository or user does not exist or is not visible to you.',
        },
      }),
    )
    .input(CollaboratorPath)
    .output(RepoCollaboratorPermission)
    .query(({ ctx, input }) => showPermission(ctx, input)),

  listCandidates: administered
    .input(CollaboratorCandidatesInput)
    .output(z.array(Candidate))
    .query(({ ctx, input }) => listCollaboratorCandidates(ctx, ctx.found, input.q)),
})
