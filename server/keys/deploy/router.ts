import { z } from 'zod'
import { administration, loadRepository } from '@/server/repos'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { addDeployKey } from './add'
import { browseDeployKeys, getDeployKey, listDeployKeys } from './list'
import { removeDeployKey, removeDeployKeys } from './remove'
import {
  BrowseDeployKeysInput,
  CreateDeployKeyInput,
  DeployKey,
  DeployKeyPage,
  DeployKeyPath,
  DeployKeysPath,
  ListDeployKeysInput,
  ListedDeployKeyPage,
} from './schema'

const shared = { tag: 'repository', scopes: ['repository'] } as const
const notAdministrator = 'You do not have admin access to the repository.'
const noSuchRepository = 'The repository does not exist or is not visible to you.'
const ofRepository = { 403: notAdministrator, 404: noSuchRepository }
const ofKey = {
  403: notAdministrator,
  404: 'The deploy key does not exist, or the repository does not exist or is not visible to you.',
}

const administered = signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, administration))

export const deployKeysRouter = router({
  list: administered
    .meta(
      rest('GET', '/repos/{owner}/{repo}/keys', {
        ...shared,
        page: 'count',
        summary: 'List the deploy keys of a repository',
        errors: ofRepository,
      }),
    )
    .input(ListDeployKeysInput)
    .output(DeployKeyPage)
    .query(({ ctx, input }) => listDeployKeys(ctx, ctx.found, input)),

  browse: administered
    .input(BrowseDeployKeysInput)
    .output(ListedDeployKeyPage)
    .query(({ ctx, input }) => browseDeployKeys(ctx, ctx.found, input)),

  get: administered
    .meta(
      rest('GET', '/repos/{owner}/{repo}/keys/{id}', {
        ...shared,
        summary: 'Get a deploy key of a repository',
        errors: ofKey,
      }),
    )
    .input(DeployKeyPath)
    .output(DeployKey)
    .query(({ ctx, input }) => getDeployKey(ctx, ctx.found, input.id)),

  add: administered
    .meta(
      rest('POST', '/repos/{owner}/{repo}/keys', {
        ...shared,
        status: 201,
        summary: 'Add a deploy key to a repository; it is read-only unless `read_only` is `false`',
        errors: {
          ...ofRepository,
          422: 'The public key is invalid or not allowed, the key or its title is in use, or the repository already has 100 deploy keys.',
        },
      }),
    )
    .input(CreateDeployKeyInput)
    .output(DeployKey)
    .mutation(({ ctx, input }) => addDeployKey(ctx, ctx.found, input)),

  remove: administered
    .meta(
      rest('DELETE', '/repos/{owner}/{repo}/keys/{id}', {
        ...shared,
        status: 204,
        summary: 'Delete a deploy key of a repository',
        errors: ofKey,
      }),
    )
    .input(DeployKeyPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeDeployKey(ctx, ctx.found, input.id)),

  removeSeveral: administered
    .input(DeployKeysPath)
    .output(z.int())
    .mutation(({ ctx, input }) => removeDeployKeys(ctx, ctx.found, input.ids)),
})
