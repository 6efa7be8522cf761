import { z } from 'zod'
import { filledLine, id, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath, TransferEffects } from '../schema'

export const TransferRepoOption = RepoPath.extend({
  new_owner: filledLine(255, 'Enter the user or organization to transfer the repository to.'),
  team_ids: z
    .array(id)
    .max(100)
    .nullish()
    .describe(
      'IDs of teams in the new organization that will get access to the repository. Only members of that organization can set this.',
    ),
})
export type TransferRepoOption = z.output<typeof TransferRepoOption>

/**
 * Input for transferring a repository. `expected` contains the effects of the transfer that were shown to the
 * caller for confirmation. The number of workflow runs is left out, because it can change in the meantime.
 */
export const GiveRepositoryInput = TransferRepoOption.pick({
  owner: true,
  repo: true,
  new_owner: true,
}).extend({
  expected: TransferEffects.omit({ runs: true }),
})
export type GiveRepositoryInput = z.output<typeof GiveRepositoryInput>

/**
 * A pending repository transfer as shown to its recipient. Contains only names, because a recipient is not
 * shown anything else about the repository.
 */
export const Offer = z.object({
  id: wireId,
  owner: z.string(),
  repo: z.string(),
  recipient: z.string(),
  doer: z.string(),
  created_at: wireTimeSchema,
})
export type Offer = z.output<typeof Offer>

/** Pending repository transfers that the caller received and sent, newest first, at most 20 each. */
export const Offers = z.object({ received: z.array(Offer), sent: z.array(Offer) })
export type Offers = z.output<typeof Offers>
