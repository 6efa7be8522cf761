import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { ListMembersInput, ListPeopleInput, MemberPage, MemberPath, OrganizationPersonPage } from '../schema'
import { checkMember, checkPublicMember, listMembers, listPeople, listPublicMembers } from './list'
import { removeMember } from './remove'
import { concealMember, publishMember } from './visibility'

const org = { tag: 'organization', scopes: ['organization'] } as const
const noSuchOrg = { 404: 'No such organization, or not visible to you.' }
const notVisibly = 'Not a member, or not one you may know of; or no such organization.'

export const membersRouter = router({
  list: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/members', {
        ...org,
        page: 'links',
        summary: 'List the members of an organization; to others than members, the public ones',
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
        summary: 'Check whether a user is a member; to others than members, whether publicly',
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
        summary: 'Remove a user from an organization and its teams, whether they are in it or not',
        errors: {
          403: 'You do not own the organization, and it is not yourself who leaves.',
          404: 'No such user or organization.',
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
          403: 'Not yourself, and you do not own the organization or the account is not public.',
          404: 'Not a member, or no such organization.',
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
        summary: 'Conceal a membership',
        errors: {
          403: 'Not yourself, and you do not own the organization.',
          404: 'Not a member, or no such organization.',
        },
      }),
    )
    .input(MemberPath)
    .output(z.void())
    .mutation(({ ctx, input }) => concealMember(ctx, input)),
})
