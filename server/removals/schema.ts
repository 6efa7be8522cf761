import { z } from 'zod'
import { BlockForOrgInput, BlockUserInput } from '@/server/blocks/schema'
import { lenientFlag, tooLong } from '@/server/kernel/wire'
import { MemberPath, MembersPath, OrgPath } from '@/server/orgs/schema'
import { TeamMemberPath, TeamMembersPath, TeamPath, TeamsPath } from '@/server/teams/schema'
import { UserPath } from '@/server/users/schema'

const of = <T extends string>(kind: T) => ({ kind: z.literal(kind) })

/** Whom or what to remove. People leave by naming themselves. */
export const RemovalTarget = z.discriminatedUnion('kind', [
  MemberPath.extend(of('organization')),
  TeamMemberPath.extend(of('team')),
  MembersPath.extend(of('organizationMembers')),
  TeamMembersPath.extend(of('teamMembers')),
  TeamPath.extend(of('deletedTeam')),
  TeamsPath.extend(of('deletedTeams')),
  OrgPath.extend(of('deletedOrganization')),
  BlockUserInput.extend(of('block')),
  BlockForOrgInput.extend(of('organizationBlock')),
  UserPath.extend(of('deletedUser')),
])
export type RemovalTarget = z.output<typeof RemovalTarget>

const ended = z.object({ total: z.int(), names: z.array(z.string()) })

/** What a removal ends: the number of each, and the first names. */
export const RemovalEffects = z.object({
  people: ended,
  /** People who left a team, or were in the deleted one. */
  members: ended,
  organizations: ended,
  teams: ended,
  collaborations: ended,
  /** Those that the people removed no longer see, and those that a deleted team had. */
  repositories: ended,
})
export type RemovalEffects = z.output<typeof RemovalEffects>

/** What a purge deletes besides the account; the repositories of the organizations are among those. */
export const PurgeEffects = z.object({ repositories: ended, organizations: ended })
export type PurgeEffects = z.output<typeof PurgeEffects>
/** `expected` is the preview that the administrator agreed to. */
export const PurgeInput = UserPath.extend({ expected: PurgeEffects })

export const RemoveUserInput = UserPath.extend({
  purge: lenientFlag.describe(
    'Delete what the user owns, too: repositories, and organizations without another owner with their repositories.',
  ),
})

/** `expected` is the preview that the person agreed to. */
export const ConfirmRemovalInput = z.object({ target: RemovalTarget, expected: RemovalEffects })

/** The password is left out by those who keep it elsewhere. */
export const RevokeOwnInput = z.object({
  current_password: z.string().max(255, tooLong(255)).optional(),
})
export type RevokeOwnInput = z.output<typeof RevokeOwnInput>

/**
 * What was taken from an account, in numbers; whether it had a token that registers runners, which was replaced; how many
 * transfers of repositories, which it had offered, were canceled; and the keys that stay, with the first titles of them.
 */
export const Revocation = z
  .object({
    keys: z.int(),
    tokens: z.int(),
    sessions: z.int(),
    registration_token: z.boolean(),
    offers: z.int(),
    kept_keys: z.object({ total: z.int(), names: z.array(z.string()) }),
  })
  .meta({ id: 'Revocation' })
export type Revocation = z.output<typeof Revocation>
