import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { ListMembersInput, ListPeopleInput, MemberPage, MemberPath, OrganizationPersonPage } from '../schema'
import { checkMember, checkPublicMember, listMembers, listPeople, listPublicMembers } from './list'
import { removeMember } from './remove'
import { concealMember, publishMember } from './visibility'

const org = { tag: 'organization', scopes: ['organization'] } as const
const noSuchOrg = { 404: 'The organization does not exist or is not visible to you.' }
const notVisibly = 'The user is not a member who is visible to you, or the organization does not exist.'

export const membersRouter = router({
  list: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/members', {
        ...org,
        page: 'links',
        summary: "List an organization's members; nonmembers see only public members",
        errors: noSuchOrg,
      }),
    )
    .input(ListMembersInput)
    .output(MemberPage)
    .query(({ ctx, input }) => listMembers(ctx, input)),

  listPeople: openProcedure
    .input(ListPeopleInput)
    .output(OrganizationPersonPage)
    .query(({ ctx, input }) => listPeople(ctx, input)),

  check: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/members/{username}', {
        ...org,
        status: 204,
        summary: 'Check whether a user is a member; nonmembers see only public members',
        errors: { 404: notVisibly },
      }),
    )
    .input(MemberPath)
    .output(z.void())
    .query(({ ctx, input }) => checkMember(ctx, input)),

  remove: signedInProcedure
    .meta(
      rest('DELETE', '/orgs/{org}/members/{username}', {
        ...org,
        status: 204,
        summary: 'Remove a user from an organization and its teams; does nothing if they are not a member',
        errors: {
          403: 'You do not own the organization and are not the member.',
          404: 'The user or organization does not exist.',
          422: 'The last owner cannot leave.',
        },
      }),
    )
    .input(MemberPath)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeMember(ctx, input)
    }),

  listPublic: openProcedure
    .meta(
      rest('GET', '/orgs/{org}/public_members', {
        ...org,
        anonymous: true,
        page: 'links',
        summary: 'List the public members of an organization',
        errors: noSuchOrg,
      }),
    )
    .input(ListMembersInput)
    .output(MemberPage)
    .query(({ ctx, input }) => listPublicMembers(ctx, input)),

  checkPublic: openProcedure
    .meta(
      rest('GET', '/orgs/{org}/public_members/{username}', {
        ...org,
        anonymous: true,
        status: 204,
        summary: 'Check whether a user is a public member',
        errors: { 404: notVisibly },
      }),
    )
    .input(MemberPath)
    .output(z.void())
    .query(({ ctx, input }) => checkPublicMember(ctx, input)),

  publish: signedInProcedure
    .meta(
      rest('PUT', '/orgs/{org}/public_members/{username}', {
        ...org,
        status: 204,
        summary: 'Make a membership public',
        errors: {
          403: 'You are not the member, and either you do not own the organization or the account is not public.',
          404: 'The user is not a member, or the organization does not exist.',
        },
      }),
    )
    .input(MemberPath)
    .output(z.void())
    .mutation(({ ctx, input }) => publishMember(ctx, input)),

  conceal: signedInProcedure
    .meta(
      rest('DELETE', '/orgs/{org}/public_members/{username}', {
        ...org,
        status: 204,
        summary: 'Make a membership private',
        errors: {
          403: 'You are not the member and do not own the organization.',
          404: 'The user is not a member, or the organization does not exist.',
        },
      }),
    )
    .input(MemberPath)
    .output(z.void())
    .mutation(({ ctx, input }) => concealMember(ctx, input)),
})
