import { z } from 'zod'
import { browseInput, pageOf } from '@/server/kernel/pagination'
import { wireId, wireTimeSchema } from '@/server/kernel/wire'
import { visibilities } from '@/server/users/schema'

/** Maximum number of results of each kind. */
const maxFound = 6
const maxTextLength = 100

export const FindInput = z.object({
  q: z.string().max(maxTextLength),
  limit: z.int().min(1).max(maxFound).default(maxFound),
})
export type FindInput = z.output<typeof FindInput>

const FoundRepository = z.object({
  owner: z.string(),
  name: z.string(),
  visibility: z.enum(['public', 'internal', 'private']),
  is_archived: z.boolean(),
})

const FoundAccount = z.object({ name: z.string(), full_name: z.string(), visibility: z.enum(visibilities) })
const FoundTeam = z.object({ org: z.string(), name: z.string() })

export const Found = z.object({
  repositories: z.array(FoundRepository),
  organizations: z.array(FoundAccount),
  people: z.array(FoundAccount),
  teams: z.array(FoundTeam),
})
export type Found = z.output<typeof Found>

export const BrowseAccountsInput = z.object({
  kind: z.enum(['person', 'organization']),
  ...browseInput(['name', 'newest']),
})
export type BrowseAccountsInput = z.output<typeof BrowseAccountsInput>

/** A person or an organization in a list on a page. */
export const BrowsedAccount = FoundAccount.extend({
  id: wireId,
  description: z.string(),
  location: z.string(),
  created_at: wireTimeSchema,
})
export type BrowsedAccount = z.output<typeof BrowsedAccount>
export const BrowsedAccountPage = pageOf(BrowsedAccount)
