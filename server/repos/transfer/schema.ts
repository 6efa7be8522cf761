import { z } from 'zod'
import { filledLine, id, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath, TransferEffects } from '../schema'

export const TransferRepoOption = RepoPath.extend({
  new_owner: filledLine(255, 'Enter the person or organization to give it to.'),
  team_ids: z
    .array(id)
    .max(100)
    .nullish()
    .describe('Teams of an organization that are given the repository, for its members to name.'),
})
export type TransferRepoOption = z.output<typeof TransferRepoOption>

/** `expected` is what the person saw who agreed. Runs begin and end meanwhile, and need no second look. */
export const GiveRepositoryInput = TransferRepoOption.pick({
  owner: true,
  repo: true,
  new_owner: true,
}).extend({
  expected: TransferEffects.omit({ runs: true }),
})
export type GiveRepositoryInput = z.output<typeof GiveRepositoryInput>

/** A repository that waits to be accepted: nothing of it but its name, which is all that a recipient learns. */
export const Offer = z.object({
  id: wireId,
  owner: z.string(),
  repo: z.string(),
  recipient: z.string(),
  doer: z.string(),
  created_at: wireTimeSchema,
})
export type Offer = z.output<typeof Offer>

/** The newest first, at most 20 each. */
export const Offers = z.object({ received: z.array(Offer), sent: z.array(Offer) })
export type Offers = z.output<typeof Offers>
