import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { blockUser } from './block'
import { requireBlocked } from './check'
import { listBlocked } from './list'
import { BlockedUserPage, BlockPath, BlockUserInput, ListBlocksInput } from './schema'
import { unblockUser } from './unblock'

const own = { tag: 'blocks', scopes: ['user'], private: true } as const
const noSuchUser = 'No such user, or not visible to you.'

export const blocksRouter = router({
  list: signedInProcedure
    .meta(rest('GET', '/user/blocks', { ...own, page: 'links', summary: 'List the users you block' }))
    .input(ListBlocksInput)
    .output(BlockedUserPage)
    .query(({ ctx, input }) => listBlocked(ctx, input)),

  check: signedInProcedure
    .meta(
      rest('GET', '/user/blocks/{username}', {
        ...own,
        status: 204,
        summary: 'Check whether you block a user',
        errors: { 404: 'Not blocked, or no such user.' },
      }),
    )
    .input(BlockPath)
    .output(z.void())
    .query(({ ctx, input }) => requireBlocked(ctx, input.username)),

  block: signedInProcedure
    .meta(
      rest('PUT', '/user/blocks/{username}', {
        ...own,
        status: 204,
        summary: 'Block a user',
        query: ['note'],
        errors: {
          400: 'Yourself, or blocked already.',
          404: noSuchUser,
          422: 'The note is too long or holds control characters.',
        },
      }),
    )
    .input(BlockUserInput)
    .output(z.void())
    .mutation(({ ctx, input }) => blockUser(ctx, input)),

  unblock: signedInProcedure
    .meta(
      rest('DELETE', '/user/blocks/{username}', {
        ...own,
        status: 204,
        summary: 'Unblock a user',
        errors: { 400: 'Not blocked.', 404: noSuchUser },
      }),
    )
    .input(BlockPath)
    .output(z.void())
    .mutation(({ ctx, input }) => unblockUser(ctx, input.username)),
})
