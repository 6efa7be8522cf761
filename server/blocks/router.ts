import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { Candidate } from '@/server/users/schema'
import { blockForOrg, blockUser } from './block'
import {
  listBlockCandidates,
  listBlocked,
  listBlockedByOrg,
  requireBlocked,
  requireBlockedByOrg,
} from './list'
import {
  BlockCandidatesInput,
  BlockedUserPage,
  BlockForOrgInput,
  BlockPath,
  BlockUserInput,
  ListBlocksInput,
  ListOrgBlocksInput,
  OrgBlockPath,
} from './schema'
import { unblockForOrg, unblockUser } from './unblock'

const own = { tag: 'blocks', scopes: ['user'], private: true } as const
const ofOrg = { tag: 'organization', scopes: ['organization'], private: true } as const
const notOwner = 'You do not own the organization.'
const badNote = 'The note is too long or contains control characters.'
const noSuchUser = 'The user does not exist or is not visible to you.'

export const blocksRouter = router({
  list: signedInProcedure
    .meta(rest('GET', '/user/blocks', { ...own, page: 'links', summary: 'List users you have blocked' }))
    .input(ListBlocksInput)
    .output(BlockedUserPage)
    .query(({ ctx, input }) => listBlocked(ctx, input)),

  check: signedInProcedure
    .meta(
      rest('GET', '/user/blocks/{username}', {
        ...own,
        status: 204,
        summary: 'Check whether you have blocked a user',
        errors: { 404: 'The user is not blocked or does not exist.' },
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
          400: 'The account is your own, is an organization, or is already blocked.',
          404: noSuchUser,
          422: badNote,
        },
      }),
    )
    .input(BlockUserInput)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await blockUser(ctx, input)
    }),

  unblock: signedInProcedure
    .meta(
      rest('DELETE', '/user/blocks/{username}', {
        ...own,
        status: 204,
        summary: 'Unblock a user',
        errors: { 400: 'The user is not blocked.', 404: noSuchUser },
      }),
    )
    .input(BlockPath)
    .output(z.void())
    .mutation(({ ctx, input }) => unblockUser(ctx, input.username)),

  listOfOrg: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/blocks', {
        ...ofOrg,
        page: 'links',
        summary: 'List users blocked by an organization',
        errors: { 403: notOwner },
      }),
    )
    .input(ListOrgBlocksInput)
    .output(BlockedUserPage)
    .query(({ ctx, input }) => listBlockedByOrg(ctx, input)),

  checkOfOrg: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/blocks/{username}', {
        ...ofOrg,
        status: 204,
        summary: 'Check whether an organization has blocked a user',
        errors: {
          403: notOwner,
          404: 'The user is not blocked, or the user or organization does not exist.',
        },
      }),
    )
    .input(OrgBlockPath)
    .output(z.void())
    .query(({ ctx, input }) => requireBlockedByOrg(ctx, input)),

  blockForOrg: signedInProcedure
    .meta(
      rest('PUT', '/orgs/{org}/blocks/{username}', {
        ...ofOrg,
        status: 204,
        summary: 'Block a user from an organization',
        query: ['note'],
        errors: {
          400: 'The account is your own, is a member or an organization, or is already blocked.',
          403: notOwner,
          404: noSuchUser,
          422: badNote,
        },
      }),
    )
    .input(BlockForOrgInput)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await blockForOrg(ctx, input)
    }),

  unblockForOrg: signedInProcedure
    .meta(
      rest('DELETE', '/orgs/{org}/blocks/{username}', {
        ...ofOrg,
        status: 204,
        summary: 'Unblock a user from an organization',
        errors: { 400: 'The user is not blocked.', 403: notOwner, 404: noSuchUser },
      }),
    )
    .input(OrgBlockPath)
    .output(z.void())
    .mutation(({ ctx, input }) => unblockForOrg(ctx, input)),

  listCandidates: signedInProcedure
    .input(BlockCandidatesInput)
    .output(z.array(Candidate))
    .query(({ ctx, input }) => listBlockCandidates(ctx, input)),
})
