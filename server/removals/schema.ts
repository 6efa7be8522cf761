import { z } from 'zod'
import { BlockForOrgInput, BlockUserInput } from '@/server/blocks/schema'
import { lenientFlag, tooLong } from '@/server/kernel/wire'
import { MemberPath, MembersPath, OrgPath } from '@/server/orgs/schema'
import { TeamMemberPath, TeamMembersPath, TeamPath, TeamsPath } from '@/server/teams/schema'
import { UserPath } from '@/server/users/schema'

const of = <T extends string>(kind: T) => ({ kind: z.literal(kind) })

/**
 * Person, team, organization, or account to remove, or a person to block. To leave, people name themselves.
 */
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

/** Effects of a removal: for each kind, the number of ended items and the first names. */
export const RemovalEffects = z.object({
  people: ended,
  /** People who left a team or were members of a deleted one. */
  members: ended,
  organizations: ended,
  teams: ended,
  collaborations: ended,
  /** Repositories that the removed people can no longer see, and repositories of deleted teams. */
  repositories: ended,
})
export type RemovalEffects = z.output<typeof RemovalEffects>

/**
 * Effects of a purge in addition to deleting the account. `repositories` includes those of the deleted
 * organizations.
 */
export const PurgeEffects = z.object({ repositories: ended, organizations: ended })
export type PurgeEffects = z.output<typeof PurgeEffects>
/** Input of a purge. `expected` is the preview that the administrator agreed to. */
export const PurgeInput = UserPath.extend({ expected: PurgeEffects })

export const RemoveUserInput = UserPath.extend({
  purge: lenientFlag.describe(
    "Also delete the user's repositories, along with organizations that have no other owner and the repositories of those organizations.",
  ),
})

/** Input that confirms a removal. `expected` is the preview that the person agreed to. */
export const ConfirmRemovalInput = z.object({ target: RemovalTarget, expected: RemovalEffects })

/** Input of `revokeOwn`. The password is only required for accounts whose password is stored here. */
export const RevokeOwnInput = z.object({
  current_password: z.string().max(255, tooLong(255)).optional(),
})
export type RevokeOwnInput = z.output<typeof RevokeOwnInput>

/**
 * Effects of a revocation: the numbers of deleted keys, tokens, and sessions, whether a runner registration
 * token was replaced, the number of canceled transfer offers, and the keys that were kept.
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
