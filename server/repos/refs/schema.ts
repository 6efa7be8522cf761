import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { pathText, queryText, wireTimeSchema } from '@/server/kernel/wire'
import { BranchTip, RepoPath } from '../schema'

const Verification = z.object({
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
      verification: Verification.describe('Signatures are shown, not checked.'),
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

/** `id` is of the annotation, or of the commit when there is none. */
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

/** `q` is part of a name, in whatever case. */
export const BrowseRefsInput = RepoPath.extend({ ...pageInput, q: queryText.optional() })
/** `total` is of all branches, of which the names may be a part. */
export const BranchNames = z.object({ names: z.array(z.string()), total: z.int() })
export type BranchNames = z.output<typeof BranchNames>

export const ListRefsInput = RepoPath.extend(pageInput)
export const BranchPath = RepoPath.extend({ branch: pathText })
export const TagPath = RepoPath.extend({ tag: pathText })
