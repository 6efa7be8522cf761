import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { browseInput, pageInput, pageOf } from '@/server/kernel/pagination'
import {
  filledLine,
  isEmailAddress,
  line,
  noEmailAddress,
  paragraph,
  pathText,
  strictBoolean,
  website,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { User, usernames, visibilities } from '@/server/users/schema'

/** An organization in API responses. `username` repeats `name` for older clients. */
export const Organization = z
  .object({
    id: wireId,
    name: z.string(),
    full_name: z.string(),
    email: z.string(),
    avatar_url: z.string(),
    description: z.string(),
    website: z.string(),
    location: z.string(),
    visibility: z.enum(visibilities),
    repo_admin_change_team_access: z.boolean(),
    username: z.string(),
  })
  .meta({ id: 'Organization' })
export type Organization = z.output<typeof Organization>
export const OrganizationPage = pageOf(Organization)
export const MemberPage = pageOf(User)

/** A member in lists on pages. `role` is null for viewers who cannot see roles. */
export const OrganizationPerson = User.extend({ role: z.enum(['owner', 'member']).nullable() })
export type OrganizationPerson = z.output<typeof OrganizationPerson>
export const OrganizationPersonPage = pageOf(OrganizationPerson)

/** Permissions of one person in an organization: the highest that any of their teams grants. */
export const OrganizationPermissions = z
  .object({
    is_owner: z.boolean(),
    is_admin: z.boolean(),
    can_write: z.boolean(),
    can_read: z.boolean(),
    can_create_repository: z.boolean(),
  })
  .meta({ id: 'OrganizationPermissions' })
export type OrganizationPermissions = z.output<typeof OrganizationPermissions>

/**
 * Data of an organization's overview page: the profile, the caller's permissions, and how much is visible to
 * the caller.
 */
export const OrganizationOverview = z.object({
  organization: Organization,
  access: z.object({
    is_member: z.boolean(),
    is_owner: z.boolean(),
    may_manage: z.boolean(),
    may_create_repository: z.boolean(),
  }),
  counts: z.object({ repositories: z.int(), members: z.int(), teams: z.int() }),
})
export type OrganizationOverview = z.output<typeof OrganizationOverview>

/** The caller's membership in an organization. */
export const Membership = z.object({
  organization: Organization,
  is_owner: z.boolean(),
  is_public: z.boolean(),
  may_create_repository: z.boolean(),
})
export type Membership = z.output<typeof Membership>

export const OrgPath = z.object({ org: pathText })
export const MemberPath = OrgPath.extend({ username: pathText })
export const MembersPath = OrgPath.extend({ usernames })
export const ListOrgsInput = z.object(pageInput)
export const ListOrgsOfInput = ListOrgsInput.extend({ username: pathText })
export const ListMembersInput = OrgPath.extend(pageInput)
export const ListPeopleInput = OrgPath.extend({
  ...browseInput(['name', 'full_name', 'newest', 'oldest']),
  role: z.enum(['all', 'owner', 'member']).default('all'),
})
export type ListPeopleInput = z.output<typeof ListPeopleInput>

const orgName = filledLine(40, 'Enter a name for the organization.')

const email = z
  .string()
  .trim()
  .pipe(line(255).refine(text => text === '' || isEmailAddress(text), noEmailAddress))

const profile = {
  full_name: line(100).optional(),
  email: email.optional(),
  description: paragraph(255).optional(),
  website: website.optional(),
  location: line(50).optional(),
  // An empty visibility is treated as absent.
  visibility: z.enum(['', ...visibilities], { error: 'Use public, limited, or private.' }).optional(),
  repo_admin_change_team_access: strictBoolean.optional(),
}

export const CreateOrgOption = z.object({ username: orgName, ...profile })
export type CreateOrgOption = z.output<typeof CreateOrgOption>

// The path parameter cannot be "username", because that is the organization's name in the body.
export const CreateOrgForInput = CreateOrgOption.extend({ owner: pathText })
export type CreateOrgForInput = z.output<typeof CreateOrgForInput>

/**
 * Profile fields that an edit can change. The name is not one of them; it can only be changed by a rename.
 */
export const EditOrgOption = OrgPath.extend(profile)
export type EditOrgOption = z.output<typeof EditOrgOption>

/** Fields of the form on an organization's settings page. */
export const OrgProfileFields = EditOrgOption.pick({
  full_name: true,
  description: true,
  website: true,
  location: true,
  email: true,
}).extend({ visibility: z.enum(visibilities).optional() })
export const SaveOrgInput = OrgPath.extend(formEdit(OrgProfileFields).shape)
export type SaveOrgInput = z.output<typeof SaveOrgInput>

export const RenameOrgOption = OrgPath.extend({ new_name: orgName })
export type RenameOrgOption = z.output<typeof RenameOrgOption>

export const AccountNameInput = z.object({ name: pathText })

/** Reason why an account cannot have a name: another account has it, or had it before and still holds it. */
export const AccountNameObstacle = z.discriminatedUnion('code', [
  z.object({ code: z.literal('nameTaken'), what: z.literal('account'), name: z.string() }),
  z.object({ code: z.literal('nameHeld'), name: z.string(), freeAt: z.string() }),
])
export type AccountNameObstacle = z.output<typeof AccountNameObstacle>

export const BrowseOrgsInput = z.object({
  ...browseInput(['name', 'newest', 'members', 'repositories']),
  visibility: z.enum(['all', 'public', 'limited', 'private']).default('all'),
})
export type BrowseOrgsInput = z.output<typeof BrowseOrgsInput>

/** An organization in the administrators' list of organizations. */
export const BrowsedOrganization = z.object({
  id: wireId,
  name: z.string(),
  full_name: z.string(),
  visibility: Organization.shape.visibility,
  members: z.int(),
  teams: z.int(),
  repositories: z.int(),
  created: wireTimeSchema,
})
export type BrowsedOrganization = z.output<typeof BrowsedOrganization>
export const BrowsedOrganizationPage = pageOf(BrowsedOrganization)
