import { z } from 'zod'
import { browseInput, pageInput, pageOf } from '@/server/kernel/pagination'
import { lenientFlag, lenientId, pathText, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'

export const ListMyReposInput = z.object(pageInput)
export const ListUserReposInput = z.object({ username: pathText, ...pageInput })
export const ListOrgReposInput = z.object({ org: pathText, ...pageInput })

export const SearchReposInput = z.object({
  q: queryText
    .optional()
    .describe('Words that are all in the name of the repository or its owner; `owner/name` too.'),
  uid: lenientId.describe('Of the owner; your own id finds what is shared with you too.'),
  priority_owner_id: lenientId.describe('Whose repositories come first.'),
  team_id: lenientId.describe('Only what this team has.'),
  starredBy: lenientId.describe('Finds nothing, as there are no stars.'),
  exclusive: lenientFlag.describe('With `uid`: only what this account owns.'),
  includeDesc: lenientFlag.describe('Look into descriptions too.'),
  topic: lenientFlag.describe('Look for topics. There are none.'),
  private: lenientFlag.describe('false leaves private repositories out.'),
  is_private: lenientFlag.describe('Only private ones, or only public ones.'),
  template: lenientFlag,
  archived: lenientFlag,
  mode: queryText
    .optional()
    .describe(
      '`source`, `collaborative` (with `uid`: what is shared with you), `fork` or `mirror`; there are none of these two.',
    ),
  sort: queryText.optional().describe('`alpha`, `created`, `updated`, `size` or `id`.'),
  order: queryText.optional().describe('`asc` or `desc`; means something only with `sort`.'),
  ...pageInput,
})
export type SearchReposInput = z.output<typeof SearchReposInput>

export const BrowseReposInput = z.object({
  /** What the caller owns and what is shared with them; what one account owns; or everything. */
  scope: z.union([z.literal('mine'), z.literal('all'), z.object({ owner: pathText })]),
  ...browseInput(['updated', 'name', 'newest', 'size']),
  /** `sources` are neither templates nor archived. */
  kind: z.enum(['all', 'sources', 'templates', 'archived']).default('all'),
  visibility: z.enum(['all', 'public', 'private']).default('all'),
})
export type BrowseReposInput = z.output<typeof BrowseReposInput>

/** A repository as a line of a list shows it. */
export const BrowsedRepository = z.object({
  id: wireId,
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  description: z.string(),
  private: z.boolean(),
  internal: z.boolean(),
  template: z.boolean(),
  archived: z.boolean(),
  empty: z.boolean(),
  default_branch: z.string(),
  /** KiB. */
  size: z.int(),
  created_at: wireTimeSchema,
  updated_at: wireTimeSchema,
  /** Null before the first push. */
  pushed_at: wireTimeSchema.nullable(),
  may_administer: z.boolean(),
  may_delete: z.boolean(),
})
export type BrowsedRepository = z.output<typeof BrowsedRepository>
export const BrowsedRepositoryPage = pageOf(BrowsedRepository)
