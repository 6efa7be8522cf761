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
      'IDs of teams in the new organization that get access to the repository. Only members of that organization can set this.',
    ),
})
export type TransferRepoOption = z.output<typeof TransferRepoOption>

/**
 * `expected` contains the effects that the caller saw when confirming. Workflow runs are left out, because
 * they start and end in the meantime.
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
 * A repository that is offered to a recipient. Contains only names, because a recipient learns nothing else
 * about it.
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

/** Transfers that the caller received and sent, newest first, at most 20 each. */
export const Offers = z.object({ received: z.array(Offer), sent: z.array(Offer) })
export type Offers = z.output<typeof Offers>
