import { z } from 'zod'
import { accessModes } from '@/server/access/access-mode'
import { units } from '@/server/access/units'
import { formEdit } from '@/server/kernel/form-edit'
import { pageOf, selectedIds } from '@/server/kernel/pagination'
import {
  filledLine,
  id,
  line,
  paragraph,
  pathText,
  strictBoolean,
  website,
  wireId,
  wireTimeSchema,
} from '@/server/kernel/wire'
import { Team } from '@/server/teams/schema'
import { User } from '@/server/users/schema'
import { maxNameLength, nameLetters, nameLettersRule } from './name'

/** The caller's permissions: `pull` and `push` for the code, `admin` for the whole repository. */
export const Permission = z
  .object({ admin: z.boolean(), push: z.boolean(), pull: z.boolean() })
  .meta({ id: 'Permission' })

/**
 * A pending transfer of a repository, requested by `doer`. `teams` are the recipient's teams that will get
 * access to the repository.
 */
export const RepoTransfer = z
  .object({ doer: User, recipient: User, teams: z.array(Team) })
  .meta({ id: 'RepoTransfer' })
export type RepoTransfer = z.output<typeof RepoTransfer>

/**
 * The effects of a repository transfer: the numbers of removed items, such as deploy keys, and of canceled
 * workflow runs, and whether workflows are turned off. Collaborators and variables are retained.
 */
export const TransferEffects = z
  .object({
    teams: z.int(),
    deploy_keys: z.int(),
    hooks: z.int(),
    secrets: z.int(),
    runners: z.int(),
    runs: z.int(),
    is_direct: z
      .boolean()
      .describe('Whether the transfer happens immediately, without requiring acceptance by the recipient.'),
    turns_workflows_off: z.boolean(),
  })
  .meta({ id: 'TransferEffects' })
export type TransferEffects = z.output<typeof TransferEffects>

export const Repository = z
  .object({
    id: wireId,
    owner: User,
    name: z.string(),
    full_name: z.string(),
    description: z.string(),
    empty: z.boolean(),
    private: z.boolean(),
    fork: z.boolean(),
    template: z.boolean(),
    mirror: z.boolean(),
    size: z.int().describe('KiB'),
    language: z.string(),
    languages_url: z.string(),
    html_url: z.string(),
    url: z.string(),
    link: z.string(),
    ssh_url: z.string(),
    clone_url: z.string(),
    original_url: z.string(),
    website: z.string(),
    stars_count: z.int(),
    forks_count: z.int(),
    watchers_count: z.int(),
    branch_count: z.int(),
    open_issues_count: z.int(),
    open_pr_counter: z.int(),
    release_counter: z.int(),
    default_branch: z.string(),
    archived: z.boolean(),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
    archived_at: wireTimeSchema,
    permissions: Permission,
    has_code: z.boolean(),
    has_issues: z.literal(false),
    has_wiki: z.literal(false),
    has_pull_requests: z.literal(false),
    has_projects: z.literal(false),
    projects_mode: z.string(),
    has_releases: z.boolean(),
    has_packages: z.literal(false),
    has_actions: z.boolean(),
    ignore_whitespace_conflicts: z.boolean(),
    allow_merge_commits: z.boolean(),
    allow_rebase: z.boolean(),
    allow_rebase_explicit: z.boolean(),
    allow_squash_merge: z.boolean(),
    allow_fast_forward_only_merge: z.boolean(),
    allow_merge_update: z.boolean(),
    allow_rebase_update: z.boolean(),
    allow_manual_merge: z.boolean(),
    autodetect_manual_merge: z.boolean(),
    default_delete_branch_after_merge: z.boolean(),
    default_merge_style: z.string(),
    default_update_style: z.string(),
    default_allow_maintainer_edit: z.boolean(),
    avatar_url: z.string(),
    internal: z.boolean(),
    mirror_interval: z.string(),
    object_format_name: z.enum(['sha1', 'sha256']),
    mirror_updated: wireTimeSchema,
    mirror_last_sync_at: wireTimeSchema,
    repo_transfer: RepoTransfer.optional().describe(
      'Present only for owners of the repository and users who can accept the transfer.',
    ),
    transfer_effects: TransferEffects.optional().describe(
      'Present only in the response to a transfer request: what the transfer removed, or will remove once it is accepted.',
    ),
    topics: z.array(z.string()),
    licenses: z.array(z.string()),
  })
  .meta({ id: 'Repository' })
export type Repository = z.output<typeof Repository>
export const RepositoryPage = pageOf(Repository)

export const RepoPath = z.object({ owner: pathText, repo: pathText })
export type RepoPath = z.output<typeof RepoPath>
export const RepoIdPath = z.object({ id })

const missingPart = strictBoolean
  .optional()
  .describe('Ignored because repositories do not have this feature.')

/** Features that repositories do not have here, although clients send settings for them. */
const MissingParts = z.object({
  has_issues: missingPart,
  has_wiki: missingPart,
  has_pull_requests: missingPart,
  has_projects: missingPart,
  has_packages: missingPart,
})

/** Settings of a repository that its administrators can change. */
export const RepositorySettings = z.object({
  projects_mode: z.enum(['repo', 'owner', 'all'], { error: 'Choose repo, owner, or all.' }),
  has_releases: strictBoolean,
  has_actions: strictBoolean,
  ignore_whitespace_conflicts: strictBoolean,
  allow_merge_commits: strictBoolean,
  allow_rebase: strictBoolean,
  allow_rebase_explicit: strictBoolean,
  allow_squash_merge: strictBoolean,
  allow_fast_forward_only_merge: strictBoolean,
  allow_merge_update: strictBoolean,
  allow_rebase_update: strictBoolean,
  allow_manual_merge: strictBoolean,
  autodetect_manual_merge: strictBoolean,
  default_delete_branch_after_merge: strictBoolean,
  default_merge_style: z.enum(['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only'], {
    error: 'Choose merge, rebase, rebase-merge, squash, or fast-forward-only.',
  }),
  default_update_style: z.enum(['merge', 'rebase'], { error: 'Choose merge or rebase.' }),
  default_allow_maintainer_edit: strictBoolean,
})
export type RepositorySettings = z.output<typeof RepositorySettings>

const branch = line(100).optional()

const onlyTrue = z
  .boolean()
  .pipe(z.boolean().refine(value => value, 'Use true; this cannot be turned off.'))
  .meta({ override: { type: 'boolean' } })
const hasCode = onlyTrue.optional().describe('Must be `true`: the code of a repository cannot be turned off.')

/** Input for creating a repository. Empty strings count as absent. */
export const CreateRepoOption = z.object({
  name: filledLine(maxNameLength, 'Enter a name for the repository.').refine(
    text => nameLetters.test(text),
    nameLettersRule,
  ),
  description: paragraph(2048).optional(),
  private: strictBoolean.optional(),
  auto_init: strictBoolean
    .optional()
    .describe('Create an initial commit with a README and the selected templates.'),
  default_branch: branch,
  template: strictBoolean.optional(),
  readme: line(255).optional().describe('Must be `Default`.'),
  gitignores: line(1000).optional().describe('Comma-separated names from `/gitignore/templates`.'),
  license: line(255).optional().describe('A key from `/licenses`.'),
  issue_labels: line(255)
    .optional()
    .describe('A name from `/label/templates`, whose labels the repository gets.'),
  trust_model: z
    .enum(['', 'default', 'collaborator', 'committer', 'collaboratorcommitter'], {
      error: 'Choose default, collaborator, committer, or collaboratorcommitter.',
    })
    .optional()
    .describe('Ignored because commit signatures are not verified.'),
  object_format_name: z.enum(['', 'sha1', 'sha256'], { error: 'Choose sha1 or sha256.' }).optional(),
  has_code: hasCode,
})
export type CreateRepoOption = z.output<typeof CreateRepoOption>
export const CreateOrgRepoOption = CreateRepoOption.extend({ org: pathText })
export const CreateRepoForOption = CreateRepoOption.extend({ username: pathText })

/** Input for updating a repository. Absent fields and an empty name are left unchanged. */
export const EditRepoOption = RepoPath.extend({
  name: z
    .string()
    .trim()
    .pipe(line(maxNameLength).refine(text => text === '' || nameLetters.test(text), nameLettersRule))
    .optional(),
  description: paragraph(2048).optional(),
  website: website.optional(),
  private: strictBoolean.optional(),
  template: strictBoolean.optional(),
  archived: strictBoolean.optional(),
  // Branches that were pushed can have longer names than new repositories may choose.
  default_branch: line(1024).optional(),
  has_code: hasCode,
  ...MissingParts.shape,
  ...RepositorySettings.partial().shape,
})
export type EditRepoOption = z.output<typeof EditRepoOption>

/** The repository fields that the settings page edits in one form. */
export const GeneralFields = EditRepoOption.pick({
  name: true,
  description: true,
  website: true,
  default_branch: true,
  template: true,
})
export const SaveRepoInput = RepoPath.extend(formEdit(GeneralFields).shape)
export type SaveRepoInput = z.output<typeof SaveRepoInput>

/** Several repositories of any owners, by their IDs. */
export const SelectedRepos = z.object({ ids: selectedIds })
/**
 * Result of deleting several repositories: `removed` contains the IDs of the deleted repositories, `left`
 * those that could not be deleted. IDs in neither were skipped.
 */
export const RemovedRepos = z.object({ removed: z.array(wireId), left: z.array(wireId) })
export type RemovedRepos = z.output<typeof RemovedRepos>
export const ArchiveReposInput = SelectedRepos.extend({ archived: z.boolean() })
export type ArchiveReposInput = z.output<typeof ArchiveReposInput>

const accessMode = z.enum(accessModes)
const ground = { mode: accessMode }
const AccessReason = z.discriminatedUnion('source', [
  z.object({ source: z.literal('siteAdmin'), ...ground }),
  z.object({ source: z.literal('owner'), ...ground }),
  z.object({ source: z.literal('organizationOwner'), ...ground }),
  z.object({
    source: z.literal('team'),
    ...ground,
    team: z.object({ id: wireId, name: z.string() }),
  }),
  z.object({ source: z.literal('collaborator'), ...ground }),
  z.object({ source: z.literal('job'), ...ground }),
  z.object({ source: z.literal('deployKey'), ...ground }),
  z.object({ source: z.literal('public'), ...ground }),
])

/** A person's permission on each part of a repository, and the reasons for it. */
export const AccessExplanation = z.object({
  user: User,
  mode: accessMode,
  /**
   * Whether the person can push now, and the reason if not. If the reason is `account`, the field `account`
   * says what prevents the account from acting.
   */
  push: z.object({
    allowed: z.boolean(),
    reason: z.enum(['access', 'archived', 'account']).nullable(),
    account: z.enum(['locked', 'inactive', 'passwordDue']).nullable(),
  }),
  units: z.array(z.object({ unit: z.enum(units), mode: accessMode, reasons: z.array(AccessReason) })),
})
export type AccessExplanation = z.output<typeof AccessExplanation>
export const ExplainAccessInput = RepoPath.extend({ username: pathText })

/** A branch as shown in one row of a list. */
export const BranchTip = z.object({
  name: z.string(),
  sha: z.string(),
  summary: z.string(),
  author: z.string(),
  time: wireTimeSchema,
})
export type BranchTip = z.output<typeof BranchTip>

/** The data shown on every page of a repository. */
export const RepositoryHome = z.object({
  repository: Repository,
  branches: z.int(),
  /** The number of tags; null if they cannot be counted now. */
  tags: z.int().nullable(),
  /** The number of published releases; null if the viewer cannot read releases. */
  releases: z.int().nullable(),
  /** The number of workflow runs; null if the viewer cannot read them. */
  actions: z.int().nullable(),
  /** Whether the viewer can write releases. No one can in an archived repository. */
  may_release: z.boolean(),
  may_push: z.boolean(),
  may_administer: z.boolean(),
  may_delete: z.boolean(),
  /** Present if workflows are off and the viewer can read their runs. */
  workflows_off: z
    .object({
      /** The time of the transfer that turned workflows off; null if they were turned off in the settings. */
      since: wireTimeSchema.nullable(),
      may_turn_on: z.boolean(),
    })
    .nullable(),
  /** Present for the repository's owners and for users who can accept the transfer. */
  transfer: z
    .object({
      recipient: z.string(),
      doer: z.string(),
      /** The recipient's teams that will get access to the repository, if the viewer can know them. */
      teams: z.array(z.string()),
      may_accept: z.boolean(),
      may_cancel: z.boolean(),
      created_at: wireTimeSchema,
    })
    .nullable(),
})
export type RepositoryHome = z.output<typeof RepositoryHome>

export const RepositoryNameInUseInput = z.object({ owner: pathText, name: pathText })
