import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { loadRepository } from '../load'
import { ownership } from '../policy'
import { RepoPath, Repository, TransferEffects } from '../schema'
import { acceptTransfer, cancelTransfer, declineTransfer } from './answer'
import { loadOffered } from './load'
import { listOffers } from './offers'
import { GiveRepositoryInput, Offers, TransferRepoOption } from './schema'
import { showEffects, transferRepository } from './start'

const common = { tag: 'repository', scopes: ['repository'] } as const
const notWaiting = 'The repository does not exist or has not been offered to you.'

const owned = signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, ownership))
const offered = signedInWith(RepoPath, loadOffered)

export const transferRouter = router({
  start: owned
    .meta(
      rest('POST', '/repos/{owner}/{repo}/transfer', {
        ...common,
        status: 202,
        statusWith: { key: 'repo_transfer', status: 201 },
        summary:
          'Transfer a repository to another owner, who must accept it unless you can accept it on their behalf. Removes its teams, deploy keys, webhooks, secrets, and runners, and cancels unfinished runs',
        errors: {
          403: 'You do not own the repository, one of you blocks the other, 20 of your transfers to them are already pending, or they have reached their maximum number of repositories.',
          404: 'The repository or new owner does not exist or is not visible to you.',
          409: 'The repository is already being transferred.',
          422: 'The new owner already owns the repository or another repository with this name that is visible to you, or a team does not belong to them.',
        },
      }),
    )
    .input(TransferRepoOption)
    .output(Repository)
    .mutation(({ ctx, input }) => transferRepository(ctx, ctx.found, input)),

  startAsShown: owned
    .input(GiveRepositoryInput)
    .output(Repository)
    .mutation(({ ctx, input }) => transferRepository(ctx, ctx.found, input)),

  accept: offered
    .meta(
      rest('POST', '/repos/{owner}/{repo}/transfer/accept', {
        ...common,
        status: 202,
        summary:
          'Accept a repository offered to you or your organization. Its workflows stay off until an owner turns them on',
        errors: {
          403: 'You own the repository but are not its recipient, one of you blocks the other, or the recipient has reached their maximum number of repositories.',
          404: notWaiting,
          409: 'The person who offered the repository no longer owns it or cannot sign in.',
          422: 'The recipient already has a repository with this name.',
        },
      }),
    )
    .output(Repository)
    .mutation(({ ctx }) => acceptTransfer(ctx, ctx.found)),

  decline: offered
    .meta(
      rest('POST', '/repos/{owner}/{repo}/transfer/reject', {
        ...common,
        summary: 'Decline a repository offered to you or your organization',
        errors: { 403: 'You own the repository but are not its recipient.', 404: notWaiting },
      }),
    )
    .output(Repository)
    .mutation(({ ctx }) => declineTransfer(ctx, ctx.found)),

  cancel: owned.output(z.void()).mutation(({ ctx }) => cancelTransfer(ctx, ctx.found)),

  showEffects: owned
    .input(TransferRepoOption.pick({ new_owner: true }))
    .output(TransferEffects)
    .query(({ ctx, input }) => showEffects(ctx, ctx.found, input.new_owner)),

  listOffers: signedInProcedure.output(Offers).query(({ ctx }) => listOffers(ctx)),
})
