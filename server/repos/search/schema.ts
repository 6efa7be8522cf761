import { z } from 'zod'
import { pageInput } from '@/server/kernel/pagination'
import { lenientFlag, queryText } from '@/server/kernel/wire'

// As lenient as `page` and `limit`: what is no id counts as not given.
const lenientId = z
  .union([z.number(), queryText])
  .optional()
  .transform(value => (/^\d{1,15}$/.test(String(value)) ? Number(value) : undefined))
  .meta({ override: { type: 'integer', format: 'int64' } })

export const SearchReposInput = z.object({
  q: queryText.optional(),
  uid: lenientId.describe('Of the owner; your own id finds what is shared with you too.'),
  exclusive: lenientFlag.describe('With `uid`: only what this account owns.'),
  includeDesc: lenientFlag.describe('Look into descriptions too.'),
  topic: lenientFlag.describe('Look for topics. There are none.'),
  private: lenientFlag.describe('false leaves private repositories out.'),
  is_private: lenientFlag.describe('Only private ones, or only public ones.'),
  template: lenientFlag,
  archived: lenientFlag,
  mode: queryText.optional().describe('`fork` and `mirror` find nothing, as there are none.'),
  sort: queryText.optional().describe('`alpha`, `created`, `updated`, `size` or `id`.'),
  order: queryText.optional().describe('`asc` or `desc`; only with `sort`.'),
  ...pageInput,
})
export type SearchReposInput = z.output<typeof SearchReposInput>
