import { z } from 'zod'
import { BlockForOrgInput, BlockUserInput } from '@/server/blocks/schema'
import { lenientFlag } from '@/server/kernel/wire'
import { MemberPath, MembersPath, OrgPath } from '@/server/orgs/schema'
import { TeamMemberPath, TeamMembersPath, TeamPath, TeamsPath } from '@/server/teams/schema'
import { UserPath } from '@/server/users/schema'

const way = <T extends string>(name: T) => ({ way: z.literal(name) })

/** Every way in which people leave, or lose what they were given; one's own name is how one leaves. */
export const WayOut = z.discriminatedUnion('way', [
  MemberPath.extend(way('organization')),
  TeamMemberPath.extend(way('team')),
  MembersPath.extend(way('organizationMembers')),
  TeamMembersPath.extend(way('teamMembers')),
  TeamPath.extend(way('deletedTeam')),
  TeamsPath.extend(way('deletedTeams')),
  OrgPath.extend(way('deletedOrganization')),
  BlockUserInput.extend(way('block')),
  BlockForOrgInput.extend(way('organizationBlock')),
  UserPath.extend(way('deletedUser')),
])
export type WayOut = z.output<typeof WayOut>

const ended = z.object({ total: z.int(), names: z.array(z.string()) })

/** What ends: each with its number, and the first names. */
export const DepartureEffects = z.object({
  people: ended,
  /** Who left a team, or was in the deleted one. */
  members: ended,
  organizations: ended,
  teams: ended,
  collaborations: ended,
  /** Those that whoever leaves sees no more, and those a deleted team had. */
  repositories: ended,
})
export type DepartureEffects = z.output<typeof DepartureEffects>

/** What a purge deletes besides the account; the repositories of the organizations are among those. */
export const PurgeEffects = z.object({ repositories: ended, organizations: ended })
export type PurgeEffects = z.output<typeof PurgeEffects>
/** `expected` is what the administrator saw who agreed. */
export const PurgeInput = UserPath.extend({ expected: PurgeEffects })

export const RemoveUserInput = UserPath.extend({
  purge: lenientFlag.describe(
    'Delete what the user owns, too: repositories, and organizations without another owner with their repositories.',
  ),
})

/** `expected` is the preview as the person saw it who agreed. */
export const TakeWayOutInput = z.object({ wayOut: WayOut, expected: DepartureEffects })
