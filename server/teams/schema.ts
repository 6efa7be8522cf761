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

/** `units` names the units that have a mode, `none` included; `units_map` has the modes. */
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

/** A team as pages list it, with its size and whether the viewer is in it. */
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
/** Of several at once, as many as a page of a list holds. */
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
  q: queryText.optional().describe('Part of a name or description, in any case.'),
  include_desc: lenientFlag
    .transform(value => value ?? true)
    .meta({ override: { type: 'boolean', default: true }, description: 'Look into descriptions too.' }),
})

const onlyNameLetters = {
  error: 'Use only letters, digits, "-", "_" and ".".',
  params: { rule: 'AlphaDashDot' },
}
const words = z.string().max(255, 'Use at most 255 characters.')

// Clients that send every field send back what the Owners team shows.
const modeName = z.enum(['', ...accessModes], { error: teamModeExpected })
const wireModes = { type: 'string', enum: accessModes.filter(mode => mode !== 'owner') } as const

const access = {
  permission: modeName.optional().meta({
    override: wireModes,
    description: 'An empty word is none given, which is `none` for a new team.',
  }),
  units: z.array(words).optional().describe('Units that get the permission.'),
  units_map: z
    .record(words, modeName.nullable())
    .optional()
    .meta({
      override: { type: 'object', additionalProperties: wireModes },
      description:
        'Units with a permission each. When given, `units` does not count. A unit with an empty word keeps what it has.',
    }),
  includes_all_repositories: strictBoolean.optional(),
}

export const CreateTeamOption = z.object({
  org: pathText,
  name: filledLine(255, 'Give the team a name.').refine(text => /^[\w.-]+$/.test(text), onlyNameLetters),
  description: paragraph(255).optional(),
  ...access,
  can_create_org_repo: strictBoolean.optional(),
})
export type CreateTeamOption = z.output<typeof CreateTeamOption>

/** What is absent stays as it is; so does the name when it is empty. */
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

/** What the settings page of a team edits as one form; its permissions are changed on their own. */
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

/** What a team may do, as a page has shown it: a change is refused when it is something else by now. */
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

/** What an edit would do: to the team itself, and to people whose other rights do not make up for it. */
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

/** What an edit would do to one person, with the names of the repositories. */
export const MemberPreview = z.array(z.object({ ...change, repositories: z.array(z.string()) }))
export type MemberPreview = z.output<typeof MemberPreview>

export const RepositoryTeamPath = z.object({ owner: pathText, repo: pathText, team: pathText })
export type RepositoryTeamPath = z.output<typeof RepositoryTeamPath>
export const RepositoryTeamsInput = z.object({ owner: pathText, repo: pathText })
export const RepositoryTeamCandidatesInput = RepositoryTeamsInput.extend(candidateSearch)

/** A team that a repository may be given to, or what prevents it. */
export const TeamCandidate = z.object({ team: Team, obstacle: z.enum(['attached']).nullable() })
export type TeamCandidate = z.output<typeof TeamCandidate>

/** The teams that have a repository, as its settings list them. */
export const RepositoryTeams = TeamPage.extend({ may_change: z.boolean() })
export type RepositoryTeams = z.output<typeof RepositoryTeams>
