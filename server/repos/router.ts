import { z } from 'zod'
import { wireId } from '@/server/kernel/wire'
import { loadOrganization } from '@/server/orgs'
import { OrgPath } from '@/server/orgs/schema'
import { router } from '@/server/trpc/init'
import { adminWith, openProcedure, signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getVisibleAccount } from '@/server/users'
import { UserPath } from '@/server/users/schema'
import { collaboratorsRouter } from './collaborators/router'
import { createOrgRepository, createRepository, createRepositoryFor, isRepositoryNameInUse } from './create'
import { archiveRepositories, editRepository, saveRepository } from './edit'
import { explainAccess, showRepository, showRepositoryById } from './get'
import { showHome } from './home'
import { listProcedures } from './lists/router'
import { loadRepository } from './load'
import { administration, ownership } from './policy'
import { branchesRouter, refProcedures, tagsRouter } from './refs/router'
import { removeRepositories, removeRepository } from './remove'
import {
  AccessExplanation,
  ArchiveReposInput,
  CreateOrgRepoOption,
  CreateRepoForOption,
  CreateRepoOption,
  EditRepoOption,
  ExplainAccessInput,
  RemovedRepos,
  RepoIdPath,
  RepoPath,
  Repository,
  RepositoryHome,
  RepositoryNameInUseInput,
  SaveRepoInput,
  SelectedRepos,
} from './schema'
import { templatesRouter } from './templates/router'
import { topicsRouter } from './topics/router'
import { transferRouter } from './transfer/router'

const repository = { tag: 'repository', scopes: ['repository'] } as const
const own = { tag: 'repository', scopes: ['user', 'repository'] } as const
const open = { anonymous: true } as const
const noSuchRepository = { 404: 'The repository does not exist or is not visible to you.' }
const whyNotMade = {
  400: 'The README, license, .gitignore, or label template does not exist.',
  409: 'The owner already has a repository with this name.',
}
const inOrganization = {
  status: 201,
  errors: {
    ...whyNotMade,
    403: 'You cannot create repositories in this organization, or it has reached its maximum number of repositories.',
    404: 'The organization does not exist or is not visible to you.',
  },
} as const

const administered = signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, administration))
const inOrg = signedInWith(OrgPath, (ctx, { org }) => loadOrganization(ctx, org, 'repositoryCreation'))

export const reposRouter = router({
  collaborators: collaboratorsRouter,
  branches: branchesRouter,
  tags: tagsRouter,
  templates: templatesRouter,
  topics: topicsRouter,
  transfer: transferRouter,
  ...listProcedures,
  ...refProcedures,

  create: signedInProcedure
    .meta(
      rest('POST', '/user/repos', {
        ...own,
        private: true,
        status: 201,
        summary: 'Create a repository',
        errors: { ...whyNotMade, 403: 'You have reached your maximum number of repositories.' },
      }),
    )
    .input(CreateRepoOption)
    .output(Repository)
    .mutation(({ ctx, input }) => createRepository(ctx, input)),

  createInOrg: inOrg
    .meta(
      rest('POST', '/orgs/{org}/repos', {
        tag: 'organization',
        scopes: ['organization'],
        summary: 'Create a repository in an organization',
        ...inOrganization,
      }),
    )
    .input(CreateOrgRepoOption)
    .output(Repository)
    .mutation(({ ctx, input }) => createOrgRepository(ctx, ctx.found, input)),

  createInOrgByOldPath: inOrg
    .meta(
      rest('POST', '/org/{org}/repos', {
        tag: 'organization',
        scopes: ['organization', 'repository'],
        summary: 'Create a repository in an organization (alias of /orgs/{org}/repos)',
        ...inOrganization,
      }),
    )
    .input(CreateOrgRepoOption)
    .output(Repository)
    .mutation(({ ctx, input }) => createOrgRepository(ctx, ctx.found, input)),

  createFor: adminWith(UserPath, (ctx, { username }) => getVisibleAccount(ctx, username))
    .meta(
      rest('POST', '/admin/users/{username}/repos', {
        tag: 'admin',
        scopes: ['admin'],
        status: 201,
        summary: 'Create a repository for a user',
        errors: { ...whyNotMade, 404: 'The user does not exist.' },
      }),
    )
    .input(CreateRepoForOption)
    .output(Repository)
    .mutation(({ ctx, input }) => createRepositoryFor(ctx, ctx.found, input)),

  get: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}', {
        ...repository,
        ...open,
        summary: 'Get a repository',
        errors: noSuchRepository,
      }),
    )
    .input(RepoPath)
    .output(Repository)
    .query(({ ctx, input }) => showRepository(ctx, input)),

  getById: openProcedure
    .meta(
      rest('GET', '/repositories/{id}', {
        ...repository,
        ...open,
        summary: 'Get a repository by its ID',
        errors: noSuchRepository,
      }),
    )
    .input(RepoIdPath)
    .output(Repository)
    .query(({ ctx, input }) => showRepositoryById(ctx, input.id)),

  edit: administered
    .meta(
      rest('PATCH', '/repos/{owner}/{repo}', {
        ...repository,
        summary: 'Update a repository',
        errors: {
          ...noSuchRepository,
          403: 'You do not have admin access to the repository.',
          422: 'The name is not allowed or already in use, the branch does not exist, or another value is invalid.',
        },
      }),
    )
    .input(EditRepoOption)
    .output(Repository)
    .mutation(({ ctx, input }) => editRepository(ctx, ctx.found, input)),

  save: administered
    .input(SaveRepoInput)
    .output(Repository)
    .mutation(({ ctx, input }) => saveRepository(ctx, ctx.found, input)),

  remove: signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, ownership))
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}', {
        ...repository,
        status: 204,
        summary: 'Delete a repository',
        errors: { ...noSuchRepository, 403: 'You do not own the repository.' },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeRepository(ctx, ctx.found)),

  archiveAll: signedInProcedure
    .input(ArchiveReposInput)
    .output(z.array(wireId))
    .mutation(({ ctx, input }) => archiveRepositories(ctx, input)),

  removeAll: signedInProcedure
    .input(SelectedRepos)
    .output(RemovedRepos)
    .mutation(({ ctx, input }) => removeRepositories(ctx, input)),

  explainAccess: signedInProcedure
    .input(ExplainAccessInput)
    .output(AccessExplanation)
    .query(({ ctx, input }) => explainAccess(ctx, input)),

  getHome: openProcedure
    .input(RepoPath)
    .output(RepositoryHome)
    .query(({ ctx, input }) => showHome(ctx, input)),

  isNameInUse: signedInProcedure
    .input(RepositoryNameInUseInput)
    .output(z.boolean())
    .query(({ ctx, input }) => isRepositoryNameInUse(ctx, input)),
})
