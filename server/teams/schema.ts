import { z } from 'zod'
import { accessModes, teamModeExpected } from '@/server/access/access-mode'
import { units } from '@/server/access/units'
import { formEdit } from '@/server/kernel/form-edit'
import { browseInput, maxBrowsePageSize, pageInput, pageOf } from '@/server/kernel/pagination'
import {
  filledLine,
  id,
  lenientFlag,
  line,
  paragraph,
  pathText,
  queryText,
  strictBoolean,
  wireId,
} from '@/server/kernel/wire'
import { Organization, OrgPath } from '@/server/orgs/schema'
import { candidateSearch, User, usernames } from '@/server/users/schema'

const accessMode = z.enum(accessModes)
const unit = z.enum(units)

/**
 * A team in API responses. `units` lists the units (repository features, such as code or issues) that have an
 * access mode, including `none`; `units_map` has the modes.
 */
export const Team = z
  .object({
    id: wireId,
    name: z.string(),
    description: z.string(),
    organization: Organization,
    includes_all_repositories: z.boolean(),
    permission: accessMode,
    units: z.array(unit),
    units_map: z.partialRecord(unit, accessMode),
    can_create_org_repo: z.boolean(),
  })
  .meta({ id: 'Team' })
export type Team = z.output<typeof Team>
export const TeamPage = pageOf(Team)

/**
 * A team as pages list it, with the numbers of members and repositories and whether the viewer is a member.
 */
export const BrowsedTeam = Team.extend({
  is_member: z.boolean(),
  member_count: z.int(),
  repository_count: z.int(),
})
export type BrowsedTeam = z.output<typeof BrowsedTeam>
export const BrowsedTeamPage = pageOf(BrowsedTeam)
export const TeamMemberPage = pageOf(User)

export const TeamPath = z.object({ id })
export const TeamNamePath = z.object({ org: pathText, team: pathText })
/** IDs for bulk operations, at most as many as one page of a list holds. */
const ids = z.array(id).min(1).max(maxBrowsePageSize)
export const TeamsPath = OrgPath.extend({ ids })
export const TeamListInput = TeamPath.extend(pageInput)
export const MyTeamsInput = z.object(pageInput)
export const OrgTeamsInput = z.object({ org: pathText, ...pageInput })
export const TeamMemberPath = z.object({ id, username: pathText })
export const BrowseMembersInput = TeamPath.extend(browseInput(['name', 'full_name', 'newest', 'oldest']))
export type BrowseMembersInput = z.output<typeof BrowseMembersInput>
export const TeamMembersPath = TeamPath.extend({ usernames })
export const TeamCandidatesInput = TeamPath.extend(candidateSearch)
export const TeamRepositoryPath = z.object({ id, org: pathText, repo: pathText })
export type TeamRepositoryPath = z.output<typeof TeamRepositoryPath>
export const BrowseRepositoriesInput = TeamPath.extend(browseInput(['name', 'updated', 'newest']))
export type BrowseRepositoriesInput = z.output<typeof BrowseRepositoriesInput>
export const TeamRepositoriesPath = TeamPath.extend({ repositories: ids })
export type TeamRepositoriesPath = z.output<typeof TeamRepositoriesPath>

export const BrowseTeamsInput = OrgPath.extend({
  ...browseInput(['name', 'members', 'newest']),
  membership: z.enum(['all', 'mine']).default('all'),
})
export type BrowseTeamsInput = z.output<typeof BrowseTeamsInput>

export const SearchTeamsInput = OrgTeamsInput.extend({
  q: queryText.optional().describe('Text that the name or description must contain; not case-sensitive.'),
  include_desc: lenientFlag
    .transform(value => value ?? true)
    .meta({ override: { type: 'boolean', default: true }, description: 'Also search descriptions.' }),
})

const onlyNameLetters = {
  error: 'Use only letters, numbers, "-", "_", and ".".',
  params: { rule: 'AlphaDashDot' },
}
const words = z.string().max(255, 'Use at most 255 characters.')

// Clients that send every field send the Owners team's permission back.
const modeName = z.enum(['', ...accessModes], { error: teamModeExpected })
const wireModes = { type: 'string', enum: accessModes.filter(mode => mode !== 'owner') } as const

const access = {
  permission: modeName.optional().meta({
    override: wireModes,
    description: 'An empty string is treated as no value, which means `none` for a new team.',
  }),
  units: z.array(words).optional().describe('Units to which `permission` applies.'),
  units_map: z
    .record(words, modeName.nullable())
    .optional()
    .meta({
      override: { type: 'object', additionalProperties: wireModes },
      description:
        'Permission for each unit. If present, `units` is ignored. A unit with an empty string keeps its current permission.',
    }),
  includes_all_repositories: strictBoolean.optional(),
}

export const CreateTeamOption = z.object({
  org: pathText,
  name: filledLine(255, 'Enter a name for the team.').refine(text => /^[\w.-]+$/.test(text), onlyNameLetters),
  description: paragraph(255).optional(),
  ...access,
  can_create_org_repo: strictBoolean.optional(),
})
export type CreateTeamOption = z.output<typeof CreateTeamOption>

/** Fields that an edit of a team can change. Absent fields and an empty name leave the value unchanged. */
export const EditTeamOption = TeamPath.extend({
  name: z
    .string()
    .trim()
    .pipe(line(255).refine(text => /^[\w.-]*$/.test(text), onlyNameLetters))
    .optional(),
  description: paragraph(255).optional(),
  ...access,
  can_create_org_repo: strictBoolean.optional(),
})
export type EditTeamOption = z.output<typeof EditTeamOption>

/** Changes made in the form of a team's settings page. Permissions are saved separately. */
export const SaveTeamInput = TeamPath.extend(
  formEdit(
    EditTeamOption.pick({
      name: true,
      description: true,
      includes_all_repositories: true,
      can_create_org_repo: true,
    }),
  ).shape,
)
export type SaveTeamInput = z.output<typeof SaveTeamInput>

/**
 * Permissions of a team that a page was showing when the user changed them. The change is rejected if the
 * current permissions differ from these.
 */
export const TeamPermissions = Team.pick({ permission: true, units_map: true })
export type TeamPermissions = z.output<typeof TeamPermissions>
const expected = { expected: TeamPermissions }

export const SetPermissionsInput = TeamPath.extend({
  permission: access.permission,
  units_map: access.units_map,
}).extend(expected)
export type SetPermissionsInput = z.output<typeof SetPermissionsInput>

export const PreviewTeamInput = TeamPath.extend(access).extend(expected)
export type PreviewTeamInput = z.output<typeof PreviewTeamInput>
export const PreviewMemberInput = PreviewTeamInput.extend({ username: pathText })
export type PreviewMemberInput = z.output<typeof PreviewMemberInput>

const change = { unit, before: accessMode, after: accessMode }

/**
 * Effects of an edit of a team's permissions: the team's access modes that change, and the members whose
 * effective access changes.
 */
export const TeamPreview = z.object({
  units: z.array(z.object(change)),
  members: z.array(
    z.object({
      username: z.string(),
      full_name: z.string(),
      changes: z.array(z.object({ ...change, repositories: z.int() })),
    }),
  ),
  members_looked_at: z.int(),
  members_total: z.int(),
  repositories_looked_at: z.int(),
  repositories_total: z.int(),
})
export type TeamPreview = z.output<typeof TeamPreview>

/**
 * Changes that an edit of a team's permissions makes to one member's access, with the names of the affected
 * repositories.
 */
export const MemberPreview = z.array(z.object({ ...change, repositories: z.array(z.string()) }))
export type MemberPreview = z.output<typeof MemberPreview>

export const RepositoryTeamPath = z.object({ owner: pathText, repo: pathText, team: pathText })
export type RepositoryTeamPath = z.output<typeof RepositoryTeamPath>
export const RepositoryTeamsInput = z.object({ owner: pathText, repo: pathText })
export const RepositoryTeamCandidatesInput = RepositoryTeamsInput.extend(candidateSearch)

/** A team that can be added to a repository, or the reason why it cannot. */
export const TeamCandidate = z.object({ team: Team, obstacle: z.enum(['attached']).nullable() })
export type TeamCandidate = z.output<typeof TeamCandidate>

/** The teams of a repository, as the repository's settings page lists them. */
export const RepositoryTeams = TeamPage.extend({ may_change: z.boolean() })
export type RepositoryTeams = z.output<typeof RepositoryTeams>
