import { z } from 'zod'
import { formEdit } from '@/server/kernel/form-edit'
import { browseInput, maxBrowsePageSize, pageInput, pageOf, selectedIds } from '@/server/kernel/pagination'
import { minPasswordLength } from '@/server/kernel/password-length'
import {
  filledLine,
  isEmailAddress,
  lenientFlag,
  lenientId,
  line,
  noEmailAddress,
  paragraph,
  pathText,
  queryText,
  strictBoolean,
  tooLong,
  website,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { nameLetters } from './name'

export const visibilities = ['public', 'limited', 'private'] as const
const diffViewStyles = ['', 'unified', 'split'] as const

/**
 * A person in API responses. The fields from `login_name` on have real values only for the person themselves
 * and for administrators.
 */
export const User = z
  .object({
    id: wireId,
    login: z.string(),
    full_name: z.string(),
    email: z.string(),
    avatar_url: z.string(),
    html_url: z.string(),
    created: wireTimeSchema,
    restricted: z.boolean(),
    location: z.string(),
    website: z.string(),
    description: z.string(),
    visibility: z.enum(visibilities),
    followers_count: z.int(),
    following_count: z.int(),
    starred_repos_count: z.int(),
    login_name: z.string(),
    source_id: wireId,
    language: z.string(),
    is_admin: z.boolean(),
    last_login: wireTimeSchema,
    active: z.boolean(),
    prohibit_login: z.boolean(),
    username: z.string(),
  })
  .meta({ id: 'User' })
export type User = z.output<typeof User>

export const UserPath = z.object({ username: pathText })
/** Usernames for bulk operations, at most as many as one page of a list holds. */
export const usernames = z.array(pathText).min(1).max(maxBrowsePageSize)

export const Email = z
  .object({
    email: z.string(),
    verified: z.boolean(),
    primary: z.boolean(),
    user_id: wireId,
    username: z.string(),
  })
  .meta({ id: 'Email' })

/** A person suggested while the user types, and the reason, if any, why they cannot be selected. */
export const Candidate = z.object({
  user: User,
  obstacle: z.enum(['member', 'collaborator', 'owner', 'blocked', 'self']).nullable(),
})
export type Candidate = z.output<typeof Candidate>
export const candidateSearch = { q: queryText }

export const SearchUsersInput = z.object({ q: queryText.optional(), uid: lenientId, ...pageInput })

const emailAddress = z
  .string()
  .trim()
  .pipe(line(254).min(1, 'Enter an email address.').refine(isEmailAddress, noEmailAddress))

const password = line(255).min(minPasswordLength, `Use at least ${minPasswordLength} characters.`)
const userName = filledLine(40, 'Enter a username.')

const profile = {
  full_name: line(100).optional(),
  website: website.optional(),
  location: line(50).optional(),
  description: paragraph(255).optional(),
  hide_email: strictBoolean.optional(),
  language: line(20).optional(),
  theme: line(64)
    .describe('`gitea-auto`, `gitea-light`, or `gitea-dark`; `auto`, `light`, and `dark` are short forms.')
    .optional(),
  diff_view_style: z.enum(diffViewStyles, { error: 'Use unified or split.' }).optional(),
  hide_activity: strictBoolean.optional(),
}

export const UserSettings = z
  .object({
    full_name: z.string(),
    website: z.string(),
    location: z.string(),
    description: z.string(),
    hide_email: z.boolean(),
    language: z.string(),
    theme: z.string(),
    diff_view_style: z.enum(diffViewStyles),
    hide_activity: z.boolean(),
  })
  .meta({ id: 'UserSettings' })
export const UserSettingsOptions = z.object(profile)
export type UserSettingsOptions = z.output<typeof UserSettingsOptions>
export const SaveSettingsInput = formEdit(UserSettingsOptions)
export type SaveSettingsInput = z.output<typeof SaveSettingsInput>

const setByAdministrators = {
  must_change_password: strictBoolean.optional(),
  full_name: line(100).optional(),
  login_name: line(254).optional(),
  source_id: z
    .int()
    .pipe(z.int())
    .optional()
    .meta({ override: { type: 'integer', format: 'int64' } }),
  restricted: strictBoolean
    .optional()
    .describe(
      'Limits the user to resources that they were granted access to and resources that are visible without an account.',
    ),
  visibility: z.enum(visibilities, { error: 'Use public, limited, or private.' }).optional(),
}

const maxMaximum = 1_000_000
const leastMaximum = "Enter a number of repositories, or -1 for the site's maximum."

export const CreateUserOption = z.object({
  username: userName,
  email: emailAddress,
  // Checked when the account is created: whether a password is needed depends on the login source, and the
  // API contract requires status 400.
  password: z.string().optional(),
  ...setByAdministrators,
  send_notify: strictBoolean.optional(),
})
export type CreateUserOption = z.output<typeof CreateUserOption>

export const EditUserOption = UserPath.extend({
  email: emailAddress.optional(),
  password: z.string().optional(),
  ...setByAdministrators,
  admin: strictBoolean.optional(),
  active: strictBoolean.optional(),
  prohibit_login: strictBoolean.optional(),
  location: line(50).optional(),
  website: website.optional(),
  description: paragraph(255).optional(),
  allow_create_organization: strictBoolean.optional(),
  max_repo_creation: z
    .int()
    .pipe(z.int().min(-1, leastMaximum).max(maxMaximum))
    .optional()
    .meta({
      override: { type: 'integer', minimum: -1, maximum: maxMaximum },
      description: "Maximum number of repositories that the account can own; -1 means the site's maximum.",
    }),
})
export type EditUserOption = z.output<typeof EditUserOption>

export const RenameUserOption = UserPath.extend({ new_username: userName })
export type RenameUserOption = z.output<typeof RenameUserOption>
export const RenameMeInput = RenameUserOption.pick({ new_username: true })
export type RenameMeInput = z.output<typeof RenameMeInput>

/** Fields of an account that administrators can edit on a page. */
export const AccountFields = EditUserOption.pick({
  full_name: true,
  email: true,
  admin: true,
  active: true,
  prohibit_login: true,
  allow_create_organization: true,
}).extend({
  /** Maximum number of repositories; empty for the site's default. */
  max_repositories: z
    .string()
    .trim()
    .regex(/^\d{0,6}$/, "Enter a whole number, or leave this empty for the site's maximum.")
    .optional(),
})
export const SaveUserInput = UserPath.extend(formEdit(AccountFields).shape)
export type SaveUserInput = z.output<typeof SaveUserInput>

export const ListUsersInput = z.object({
  q: queryText.optional(),
  login_name: queryText.optional().describe('Full login name at the login source.'),
  source_id: lenientId.describe('ID of the login source.'),
  visibility: queryText.optional().describe('`public`, `limited`, or `private`.'),
  is_active: lenientFlag,
  is_admin: lenientFlag,
  is_restricted: lenientFlag,
  is_prohibit_login: lenientFlag,
  is_2fa_enabled: lenientFlag.describe(
    'Two-factor authentication is not supported, so `true` matches no users.',
  ),
  sort: queryText.optional().describe('`name`, `created`, `updated`, `last_login`, or `id` (default).'),
  order: queryText.optional().describe('`asc` or `desc`. Ignored without `sort`.'),
  ...pageInput,
})
export type ListUsersInput = z.output<typeof ListUsersInput>
export const UserPage = pageOf(User)

export const BrowseUsersInput = z.object({
  ...browseInput(['name', 'newest', 'oldest', 'last_login']),
  role: z.enum(['all', 'administrators', 'others', 'restricted', 'must_change_password']).default('all'),
  state: z.enum(['all', 'active', 'disabled', 'inactive']).default('all'),
})
export type BrowseUsersInput = z.output<typeof BrowseUsersInput>

/** A person in the administrators' list of accounts. */
export const BrowsedUser = User.extend({ must_change_password: z.boolean() })
export type BrowsedUser = z.output<typeof BrowsedUser>
/** A person on the administrators' page for the account. A null maximum means the site's default. */
export const AdministeredUser = User.extend({
  allow_create_organization: z.boolean(),
  max_repositories: z.int().nullable(),
})
export type AdministeredUser = z.output<typeof AdministeredUser>
export const BrowsedUserPage = pageOf(BrowsedUser)

export const ProhibitLoginInput = z.object({ ids: selectedIds, prohibit_login: z.boolean() })
export type ProhibitLoginInput = z.output<typeof ProhibitLoginInput>

const first = z.object({ total: z.int(), names: z.array(z.string()) })

/**
 * Repositories and organizations that prevent an account from being deleted: their number and the first
 * names.
 */
export const DeletionObstacles = z.object({
  /** Repositories that the account owns, as `owner/name`. */
  repositories: first,
  /** Organizations that would be left without an owner. */
  organizations: first,
})
export type DeletionObstacles = z.output<typeof DeletionObstacles>

// Repeats the check of `checkName`, so that a form can report it along with its other errors.
const wellFormedName = userName.pipe(
  z
    .string()
    .regex(
      nameLetters,
      'Use only letters and numbers, optionally separated by single dashes, dots, or underscores. The maximum length is 40 characters.',
    ),
)
/** Input of the registration form, which is also used to create the first administrator. */
export const RegisterInput = z.object({ username: wellFormedName, email: emailAddress, password })
export type RegisterInput = z.output<typeof RegisterInput>

export const ChangePasswordInput = z.object({
  current_password: z.string().min(1, 'Enter your current password.').max(255, tooLong(255)),
  new_password: password,
})
export type ChangePasswordInput = z.output<typeof ChangePasswordInput>
