import { z } from 'zod'
import { router } from '@/server/trpc/init'
import {
  adminProcedure,
  adminWith,
  openProcedure,
  signedInProcedure,
  signedInWith,
} from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { getPerson } from '@/server/users'
import { checkMember, checkPublicMember } from './check-member'
import { createOrg, createOrgFor } from './create'
import { editOrg, saveOrg } from './edit'
import { loadOrganization } from './find'
import { showOrg } from './get'
import { listOrgs } from './list'
import { listMyOrgs, listOrgsOf } from './list-of-user'
import { concealMember, publishMember } from './member-visibility'
import { listMembers, listPeople, listPublicMembers } from './members'
import { getMyMembership, myMemberships } from './mine'
import { accountNameObstacle } from './name-obstacle'
import { orgOverview } from './overview'
import { orgPermissions } from './permissions'
import { removeOrg } from './remove'
import { removeMember } from './remove-member'
import { renameOrg } from './rename'
import {
  AccountNameInput,
  AccountNameObstacle,
  CreateOrgForInput,
  CreateOrgOption,
  EditOrgOption,
  ListMembersInput,
  ListOrgsInput,
  ListOrgsOfInput,
  MemberPage,
  MemberPath,
  Membership,
  Organization,
  OrganizationOverview,
  OrganizationPage,
  OrganizationPermissions,
  OrganizationPersonPage,
  OrgPath,
  RenameOrgOption,
  SaveOrgInput,
} from './schema'

const org = { tag: 'organization', scopes: ['organization'] } as const
const ofUser = { tag: 'organization', scopes: ['user', 'organization'] } as const
const admin = { tag: 'admin', scopes: ['admin'] } as const
const noSuchOrg = { 404: 'No such organization, or not visible to you.' }
const ownersOnly = { 403: 'You do not own the organization.', ...noSuchOrg }
const notVisibly = 'Not a member, or not one you may know of; or no such organization.'
const badName = {
  422: 'The name is taken, reserved, no name or for 30 days the former one of another account, or another input breaks a rule.',
}

const ownedOrg = signedInWith(OrgPath, (ctx, { org: name }) => loadOrganization(ctx, name, 'ownership'))

export const orgsRouter = router({
  list: openProcedure
    .meta(rest('GET', '/orgs', { ...org, anonymous: true, page: 'links', summary: 'List organizations' }))
    .input(ListOrgsInput)
    .output(OrganizationPage)
    .query(({ ctx, input }) => listOrgs(ctx, input)),

  listAll: adminProcedure
    .meta(rest('GET', '/admin/orgs', { ...admin, page: 'links', summary: 'List all organizations' }))
    .input(ListOrgsInput)
    .output(OrganizationPage)
    .query(({ ctx, input }) => listOrgs(ctx, input)),

  create: signedInProcedure
    .meta(rest('POST', '/orgs', { ...org, status: 201, summary: 'Create an organization', errors: badName }))
    .input(CreateOrgOption)
    .output(Organization)
    .mutation(({ ctx, input }) => createOrg(ctx, input)),

  createFor: adminWith(z.object({ owner: CreateOrgForInput.shape.owner }), (ctx, { owner }) =>
    getPerson(ctx, owner),
  )
    .meta(
      rest('POST', '/admin/users/{owner}/orgs', {
        ...admin,
        status: 201,
        summary: 'Create an organization for a user, who owns it',
        errors: { 404: 'No such user.', ...badName },
      }),
    )
    .input(CreateOrgForInput)
    .output(Organization)
    .mutation(({ ctx, input }) => createOrgFor(ctx, ctx.found, input)),

  get: openProcedure
    .meta(
      rest('GET', '/orgs/{org}', {
        ...org,
        anonymous: true,
        summary: 'Get an organization',
        errors: noSuchOrg,
      }),
    )
    .input(OrgPath)
    .output(Organization)
    .query(({ ctx, input }) => showOrg(ctx, input.org)),

  edit: ownedOrg
    .meta(rest('PATCH', '/orgs/{org}', { ...org, summary: 'Change an organization', errors: ownersOnly }))
    .input(EditOrgOption)
    .output(Organization)
    .mutation(({ ctx, input }) => editOrg(ctx, ctx.found, input)),

  save: ownedOrg
    .input(SaveOrgInput)
    .output(Organization)
    .mutation(({ ctx, input }) => saveOrg(ctx, ctx.found, input)),

  rename: ownedOrg
    .meta(
      rest('POST', '/orgs/{org}/rename', {
        ...org,
        status: 204,
        summary: 'Rename an organization; its old name leads to the new one',
        errors: { ...ownersOnly, ...badName },
      }),
    )
    .input(RenameOrgOption)
    .output(z.void())
    .mutation(({ ctx, input }) => renameOrg(ctx, ctx.found, input)),

  remove: ownedOrg
    .meta(
      rest('DELETE', '/orgs/{org}', {
        ...org,
        status: 204,
        summary: 'Delete an organization',
        errors: { ...ownersOnly, 422: 'It still owns repositories.' },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await removeOrg(ctx, ctx.found)
    }),

  listMembers: signedInProcedure
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
    .input(ListMembersInput)
    .output(OrganizationPersonPage)
    .query(({ ctx, input }) => listPeople(ctx, input)),

  getMyMembership: signedInProcedure
    .input(OrgPath)
    .output(Membership.nullable())
    .query(({ ctx, input }) => getMyMembership(ctx, input.org)),

  checkMember: signedInProcedure
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

  removeMember: signedInProcedure
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

  listPublicMembers: openProcedure
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

  checkPublicMember: openProcedure
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

  publishMember: signedInProcedure
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

  concealMember: signedInProcedure
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

  listMine: signedInProcedure
    .meta(rest('GET', '/user/orgs', { ...ofUser, page: 'links', summary: 'List your organizations' }))
    .input(ListOrgsInput)
    .output(OrganizationPage)
    .query(({ ctx, input }) => listMyOrgs(ctx, input)),

  listOfPerson: openProcedure
    .input(ListOrgsOfInput)
    .output(OrganizationPage)
    .query(({ ctx, input }) => listOrgsOf(ctx, input)),

  listOf: signedInProcedure
    .meta(
      rest('GET', '/users/{username}/orgs', {
        ...ofUser,
        page: 'links',
        summary: "List a user's organizations, as far as you may know of them",
        errors: { 404: 'No such user, or not visible to you.' },
      }),
    )
    .input(ListOrgsOfInput)
    .output(OrganizationPage)
    .query(({ ctx, input }) => listOrgsOf(ctx, input)),

  getPermissions: signedInProcedure
    .meta(
      rest('GET', '/users/{username}/orgs/{org}/permissions', {
        ...ofUser,
        summary: 'Get what a user may do in an organization',
        errors: { 404: 'No such user or organization, or not visible to you.' },
      }),
    )
    .input(MemberPath)
    .output(OrganizationPermissions)
    .query(({ ctx, input }) => orgPermissions(ctx, input)),

  getOverview: openProcedure
    .input(OrgPath)
    .output(OrganizationOverview)
    .query(({ ctx, input }) => orgOverview(ctx, input.org)),

  listMemberships: signedInProcedure.output(z.array(Membership)).query(({ ctx }) => myMemberships(ctx)),

  getNameObstacle: signedInProcedure
    .input(AccountNameInput)
    .output(AccountNameObstacle.nullable())
    .query(({ ctx, input }) => accountNameObstacle(ctx, input.name)),
})
