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
const notWaiting = 'No such repository, or it does not wait for you.'

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
          'Give a repository to another owner, who has to accept it unless you may decide that; its teams, deploy keys, webhooks, secrets, runners and unfinished runs end',
        errors: {
          403: 'You do not own the repository, one of you blocked the other, 20 repositories that you offered to them wait already, or they have as many as they can.',
          404: 'No such repository or new owner, or not visible to you.',
          409: 'The repository waits for a new owner already.',
          422: 'It is the owner already, owns a repository of this name that you can see, or a team is not one of theirs.',
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
          'Accept a repository that was offered to you or your organization; its workflows are off until an owner turns them on',
        errors: {
          403: 'You own it and are not its recipient, one of you blocked the other, or the recipient has as many as they can.',
          404: notWaiting,
          409: 'Whoever offered it owns it no more, or cannot sign in anymore.',
          422: 'The recipient owns a repository of this name.',
        },
      }),
    )
    .output(Repository)
    .mutation(({ ctx }) => acceptTransfer(ctx, ctx.found)),

  decline: offered
    .meta(
      rest('POST', '/repos/{owner}/{repo}/transfer/reject', {
        ...common,
        summary: 'Decline a repository that was offered to you or your organization',
        errors: { 403: 'You own it and are not its recipient.', 404: notWaiting },
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
