import { z } from 'zod'
import { browseInput, pageInput, pageOf } from '@/server/kernel/pagination'
import { lenientFlag, lenientId, pathText, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { maxTopicLength, topicNameOf } from '../topics/names'

export const ListMyReposInput = z.object(pageInput)
export const ListUserReposInput = z.object({ username: pathText, ...pageInput })
export const ListOrgReposInput = z.object({ org: pathText, ...pageInput })

export const SearchReposInput = z.object({
  q: queryText
    .optional()
    .describe(
      'Search words. Each must occur in the name of the repository or its owner. `owner/name` also works.',
    ),
  uid: lenientId.describe('ID of the owner. Your own ID also returns repositories shared with you.'),
  priority_owner_id: lenientId.describe('ID of the owner whose repositories are listed first.'),
  team_id: lenientId.describe('Only repositories of the team with this ID.'),
  starredBy: lenientId.describe('Returns nothing because repositories cannot be starred.'),
  exclusive: lenientFlag.describe('With `uid`: only repositories that this account owns.'),
  includeDesc: lenientFlag.describe('Also search descriptions.'),
  topic: lenientFlag.describe(
    'With `q`: only repositories with this topic, or with one of several that are separated by commas.',
  ),
  private: lenientFlag.describe('`false` excludes private repositories.'),
  is_private: lenientFlag.describe(
    '`true` returns only private repositories; `false` returns only public ones.',
  ),
  template: lenientFlag,
  archived: lenientFlag,
  mode: queryText
    .optional()
    .describe(
      '`source`, `collaborative` (with your own `uid`: repositories shared with you), `fork`, or `mirror`. The last two return nothing.',
    ),
  sort: queryText.optional().describe('`alpha`, `created`, `updated`, `size` or `id`.'),
  order: queryText.optional().describe('`asc` or `desc`. Ignored without `sort`.'),
  ...pageInput,
})
export type SearchReposInput = z.output<typeof SearchReposInput>

export const BrowseReposInput = z.object({
  /**
   * `mine`: repositories that the caller owns or that are shared with them. `owner`: repositories of one
   * account. `all`: all repositories that the caller can see.
   */
  scope: z.union([z.literal('mine'), z.literal('all'), z.object({ owner: pathText })]),
  ...browseInput(['updated', 'name', 'newest', 'size']),
  /** `sources` are repositories that are neither templates nor archived. */
  kind: z.enum(['all', 'sources', 'templates', 'archived']).default('all'),
  visibility: z.enum(['all', 'public', 'private']).default('all'),
  /** Only repositories with this topic; empty for all. */
  topic: z.string().transform(topicNameOf).pipe(z.string().max(maxTopicLength)).default(''),
})
export type BrowseReposInput = z.output<typeof BrowseReposInput>

/** A repository as shown in one row of a list. */
export const BrowsedRepository = z.object({
  id: wireId,
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  description: z.string(),
  topics: z.array(z.string()),
  private: z.boolean(),
  internal: z.boolean(),
  template: z.boolean(),
  archived: z.boolean(),
  empty: z.boolean(),
  default_branch: z.string(),
  /** In KiB. */
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
