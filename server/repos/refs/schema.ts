import { z } from 'zod'
import { browseInput, maxBrowsePageSize, pageInput, pageOf } from '@/server/kernel/pagination'
import { line, pathBytes, queryText, wireTimeSchema } from '@/server/kernel/wire'
import { BranchTip, RepoPath } from '../schema'

export const Verification = z.object({
  verified: z.boolean(),
  reason: z.string(),
  signature: z.string(),
  signer: z.object({ name: z.string(), email: z.string(), username: z.string() }).nullable(),
  payload: z.string(),
})
export type Verification = z.output<typeof Verification>

const PayloadUser = z.object({ name: z.string(), email: z.string(), username: z.string() })

export const Branch = z
  .object({
    name: z.string(),
    commit: z.object({
      id: z.string(),
      message: z.string(),
      url: z.string(),
      author: PayloadUser,
      committer: PayloadUser,
      verification: Verification.describe('Signatures are shown but not verified.'),
      timestamp: wireTimeSchema,
      added: z.array(z.string()).nullable(),
      removed: z.array(z.string()).nullable(),
      modified: z.array(z.string()).nullable(),
    }),
    protected: z.boolean(),
    required_approvals: z.int(),
    enable_status_check: z.boolean(),
    status_check_contexts: z.array(z.string()),
    user_can_push: z.boolean(),
    user_can_merge: z.boolean(),
    effective_branch_protection_name: z.string(),
  })
  .meta({ id: 'Branch' })
export type Branch = z.output<typeof Branch>
export const BranchPage = pageOf(Branch)

/**
 * A tag as the REST API returns it. `id` is the annotated tag's object ID, or the commit ID for a lightweight
 * tag.
 */
export const Tag = z
  .object({
    name: z.string(),
    message: z.string(),
    id: z.string(),
    commit: z.object({ url: z.string(), sha: z.string(), created: wireTimeSchema }),
    zipball_url: z.string(),
    tarball_url: z.string(),
  })
  .meta({ id: 'Tag' })
export type Tag = z.output<typeof Tag>
export const TagPage = pageOf(Tag)

export const BranchTipPage = pageOf(BranchTip)

/**
 * A tag as shown in one row of a list. `sha` is the commit ID. `id` is the annotated tag's object ID, or the
 * commit ID for a lightweight tag.
 */
export const TagTip = z.object({
  name: z.string(),
  id: z.string(),
  sha: z.string(),
  summary: z.string(),
  time: wireTimeSchema,
  /** Whether the tag has a release that the viewer can see. */
  is_released: z.boolean(),
})
export type TagTip = z.output<typeof TagTip>
export const TagTipPage = pageOf(TagTip)

// Ref names can be longer than the search texts of other lists.
const q = queryText.default('')

/** Input for listing branches. `q` is a part of a branch name, ignoring case. */
export const BrowseBranchesInput = RepoPath.extend({ ...browseInput(['newest', 'name']), q })
export type BrowseBranchesInput = z.output<typeof BrowseBranchesInput>

/**
 * Input for listing tags. `q` is a part of a tag name, ignoring case. The sort order `version` lists the
 * highest version first, and a release before its prereleases.
 */
export const BrowseTagsInput = RepoPath.extend({ ...browseInput(['version', 'newest', 'name']), q })
export type BrowseTagsInput = z.output<typeof BrowseTagsInput>

/**
 * Names of a repository's branches. `total` counts all branches, even if `names` contains only some of them.
 */
export const BranchNames = z.object({ names: z.array(z.string()), total: z.int() })
export type BranchNames = z.output<typeof BranchNames>

export const ListRefsInput = RepoPath.extend(pageInput)
export const ListBranchesInput = ListRefsInput.extend({
  q: q.describe('Part of a branch name, ignoring case.'),
})
export type ListBranchesInput = z.output<typeof ListBranchesInput>
/** Input for creating a branch. `old_branch_name` is an older name of `old_ref_name`. */
export const CreateBranchOption = z
  .object({
    new_branch_name: line(1024).min(1, 'A name is required.'),
    old_ref_name: line(1024)
      .optional()
      .describe('Branch, tag, or commit to start from; the default branch if absent.'),
    old_branch_name: line(1024).optional().describe('Deprecated: use `old_ref_name`.'),
  })
  .meta({ id: 'CreateBranchRepoOption' })
export type CreateBranchOption = z.output<typeof CreateBranchOption>

const RenameBranchOption = z
  .object({ name: line(1024).min(1, 'A name is required.') })
  .meta({ id: 'RenameBranchRepoOption' })

const MoveBranchOption = z
  .object({
    new_commit_id: line(64).min(1),
    old_commit_id: line(64).optional().describe('The commit to which the branch must still point.'),
    force: z.boolean().default(false).describe('Whether commits may leave the branch.'),
  })
  .meta({ id: 'UpdateBranchRepoOption' })

export const CreateTagOption = z
  .object({
    tag_name: line(1024).min(1, 'A name is required.'),
    target: line(1024).optional().describe('Branch, tag, or commit; the default branch if absent.'),
    message: z.string().max(65_536).default('').describe('With a message, the tag is annotated.'),
  })
  .meta({ id: 'CreateTagOption' })
export type CreateTagOption = z.output<typeof CreateTagOption>

export const CreateBranchInput = RepoPath.extend(CreateBranchOption.shape)
export const BranchPath = RepoPath.extend({ branch: pathBytes })
export const RenameBranchInput = BranchPath.extend(RenameBranchOption.shape)
export const MoveBranchInput = BranchPath.extend(MoveBranchOption.shape)
export type MoveBranchInput = z.output<typeof MoveBranchInput>
export const CreateTagInput = RepoPath.extend(CreateTagOption.shape)
export const TagPath = RepoPath.extend({ tag: pathBytes })

/**
 * Input for deleting branches or tags. `expected` contains the object ID to which each ref must still point,
 * in the order of `names`.
 */
export const DeleteRefsInput = RepoPath.extend({
  kind: z.enum(['branch', 'tag']),
  names: z.array(line(1024).min(1)).min(1).max(maxBrowsePageSize),
  expected: z
    .array(z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/))
    .max(maxBrowsePageSize)
    .optional(),
}).refine(
  ({ names, expected }) => !expected || expected.length === names.length,
  'Send one ID for each name.',
)
export type DeleteRefsInput = z.output<typeof DeleteRefsInput>

/** A deleted branch or tag, and the ID of the object to which it pointed. */
export const DeletedRef = z.object({ name: z.string(), sha: z.string() })
export type DeletedRef = z.output<typeof DeletedRef>
