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
import { createOrg, createOrgFor } from './create'
import { editOrg, saveOrg } from './edit'
import { findAccountNameObstacle, getOrgOverview, getOrgPermissions, showOrg } from './get'
import { browseOrgs, getMyMembership, listMyMemberships, listMyOrgs, listOrgs, listOrgsOf } from './list'
import { loadOrganization } from './load'
import { membersRouter } from './members/router'
import { removeOrg } from './remove'
import { renameOrg } from './rename'
import {
  AccountNameInput,
  AccountNameObstacle,
  BrowsedOrganizationPage,
  BrowseOrgsInput,
  CreateOrgForInput,
  CreateOrgOption,
  EditOrgOption,
  ListOrgsInput,
  ListOrgsOfInput,
  MemberPath,
  Membership,
  Organization,
  OrganizationOverview,
  OrganizationPage,
  OrganizationPermissions,
  OrgPath,
  RenameOrgOption,
  SaveOrgInput,
} from './schema'

const org = { tag: 'organization', scopes: ['organization'] } as const
const ofUser = { tag: 'organization', scopes: ['user', 'organization'] } as const
const admin = { tag: 'admin', scopes: ['admin'] } as const
const noSuchOrg = { 404: 'The organization does not exist or is not visible to you.' }
const ownersOnly = { 403: 'You do not own the organization.', ...noSuchOrg }
const badName = {
  422: 'The name is in use, reserved, invalid, or was used by another account in the last 30 days, or another field is invalid.',
}

const ownedOrg = signedInWith(OrgPath, (ctx, { org: name }) => loadOrganization(ctx, name, 'ownership'))

export const orgsRouter = router({
  members: membersRouter,

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

  browse: adminProcedure
    .input(BrowseOrgsInput)
    .output(BrowsedOrganizationPage)
    .query(({ ctx, input }) => browseOrgs(ctx, input)),

  create: signedInProcedure
    .meta(
      rest('POST', '/orgs', {
        ...org,
        status: 201,
        summary: 'Create an organization',
        errors: { 403: 'You do not have permission to create organizations.', ...badName },
      }),
    )
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
        summary: 'Create an organization owned by a user',
        errors: { 404: 'The user does not exist.', ...badName },
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
    .meta(rest('PATCH', '/orgs/{org}', { ...org, summary: 'Update an organization', errors: ownersOnly }))
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
        summary: 'Rename an organization; its old name redirects to the new one',
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
        errors: { ...ownersOnly, 422: 'The organization still owns repositories.' },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await removeOrg(ctx, ctx.found)
    }),

  getMyMembership: signedInProcedure
    .input(OrgPath)
    .output(Membership.nullable())
    .query(({ ctx, input }) => getMyMembership(ctx, input.org)),

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
        formerNames: true,
        ...ofUser,
        page: 'links',
        summary: "List a user's organizations that are visible to you",
        errors: { 404: 'The user does not exist or is not visible to you.' },
      }),
    )
    .input(ListOrgsOfInput)
    .output(OrganizationPage)
    .query(({ ctx, input }) => listOrgsOf(ctx, input)),

  getPermissions: signedInProcedure
    .meta(
      rest('GET', '/users/{username}/orgs/{org}/permissions', {
        formerNames: true,
        ...ofUser,
        summary: "Get a user's permissions in an organization",
        errors: { 404: 'The user or organization does not exist or is not visible to you.' },
      }),
    )
    .input(MemberPath)
    .output(OrganizationPermissions)
    .query(({ ctx, input }) => getOrgPermissions(ctx, input)),

  getOverview: openProcedure
    .input(OrgPath)
    .output(OrganizationOverview)
    .query(({ ctx, input }) => getOrgOverview(ctx, input.org)),

  listMemberships: signedInProcedure.output(z.array(Membership)).query(({ ctx }) => listMyMemberships(ctx)),

  getNameObstacle: signedInProcedure
    .input(AccountNameInput)
    .output(AccountNameObstacle.nullable())
    .query(({ ctx, input }) => findAccountNameObstacle(ctx, input.name)),
})
