import { z } from 'zod'
import { loadOrganization } from '@/server/orgs'
import { OrgPath } from '@/server/orgs/schema'
import { Repository, RepositoryPage } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { Candidate, User } from '@/server/users/schema'
import { createTeam } from './create'
import { editTeam, saveTeam, setPermissions } from './edit'
import { browseTeams, listMyTeams, listOrgTeams, searchTeams, showTeam, showTeamByName } from './list'
import { loadTeam } from './load'
import { addMember } from './members/add'
import { getMember, listMembers, teamCandidates } from './members/list'
import { removeMember } from './members/remove'
import { previewMember, previewTeam } from './permissions/preview'
import { removeTeam } from './remove'
import { attachRepository, detachRepository } from './repositories/attach'
import { getTeamRepository, listRepositories } from './repositories/list'
import { ofRepositoryProcedures } from './repositories/router'
import {
  BrowsedTeamPage,
  BrowseTeamsInput,
  CreateTeamOption,
  EditTeamOption,
  MemberPreview,
  MyTeamsInput,
  OrgTeamsInput,
  PreviewMemberInput,
  PreviewTeamInput,
  SaveTeamInput,
  SearchTeamsInput,
  SetPermissionsInput,
  Team,
  TeamCandidatesInput,
  TeamListInput,
  TeamMemberPage,
  TeamMemberPath,
  TeamNamePath,
  TeamPage,
  TeamPath,
  TeamPreview,
  TeamRepositoryPath,
} from './schema'

const team = { tag: 'organization', scopes: ['organization'] } as const
const done = { ...team, status: 204 } as const
const noSuchTeam = 'No such team, or not of an organization of yours.'
const noSuchOrg = 'No such organization, or not visible to you.'
const notInTeam = { 403: 'You are in the organization, but not in the team.', 404: noSuchTeam }
const notInOrg = { 403: 'You are not in the organization.', 404: noSuchOrg }
const wrongTeam = 'The name is missing, reserved, taken or not acceptable, or a unit does not exist.'
const noSuchRepository = `${noSuchTeam} Or the organization has no such repository.`
const notRepositoryAdmin = 'You are not in the team, or you may not administer the repository.'

const ownedOrg = signedInWith(OrgPath, (ctx, { org }) => loadOrganization(ctx, org, 'ownership'))
const ownedTeam = signedInWith(TeamPath, (ctx, { id }) => loadTeam(ctx, id, 'ownership'))

export const teamsRouter = router({
  ...ofRepositoryProcedures,

  getByName: signedInProcedure
    .input(TeamNamePath)
    .output(Team)
    .query(({ ctx, input }) => showTeamByName(ctx, input)),

  listOfOrg: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/teams', {
        ...team,
        page: 'links',
        summary: "List an organization's teams",
        errors: notInOrg,
      }),
    )
    .input(OrgTeamsInput)
    .output(TeamPage)
    .query(({ ctx, input }) => listOrgTeams(ctx, input)),

  browse: signedInProcedure
    .input(BrowseTeamsInput)
    .output(BrowsedTeamPage)
    .query(({ ctx, input }) => browseTeams(ctx, input)),

  search: signedInProcedure
    .meta(
      rest('GET', '/orgs/{org}/teams/search', {
        ...team,
        page: 'links',
        envelope: true,
        summary: 'Search the teams of an organization that you are in',
        errors: notInOrg,
      }),
    )
    .input(SearchTeamsInput)
    .output(TeamPage)
    .query(({ ctx, input }) => searchTeams(ctx, input)),

  listMine: signedInProcedure
    .meta(
      rest('GET', '/user/teams', {
        tag: 'user',
        scopes: ['user'],
        private: true,
        page: 'links',
        summary: 'List the teams you are in',
      }),
    )
    .input(MyTeamsInput)
    .output(TeamPage)
    .query(({ ctx, input }) => listMyTeams(ctx, input)),

  get: signedInProcedure
    .meta(rest('GET', '/teams/{id}', { ...team, summary: 'Get a team', errors: notInTeam }))
    .input(TeamPath)
    .output(Team)
    .query(({ ctx, input }) => showTeam(ctx, input.id)),

  create: ownedOrg
    .meta(
      rest('POST', '/orgs/{org}/teams', {
        ...team,
        status: 201,
        summary: 'Create a team',
        errors: {
          403: 'You do not own the organization.',
          404: noSuchOrg,
          422: wrongTeam,
          500: 'A team below admin was given no unit; or an internal error, whose message has an id to quote.',
        },
      }),
    )
    .input(CreateTeamOption)
    .output(Team)
    .mutation(({ ctx, input }) => createTeam(ctx, ctx.found, input)),

  edit: ownedTeam
    .meta(
      rest('PATCH', '/teams/{id}', {
        ...team,
        summary: 'Change a team',
        errors: {
          403: 'You do not own the organization, or it is its Owners team that you rename.',
          404: noSuchTeam,
          422: wrongTeam,
        },
      }),
    )
    .input(EditTeamOption)
    .output(Team)
    .mutation(({ ctx, input }) => editTeam(ctx, ctx.found, input)),

  remove: ownedTeam
    .meta(
      rest('DELETE', '/teams/{id}', {
        ...done,
        summary: 'Delete a team; members left without any leave the organization',
        errors: {
          403: 'You do not own the organization, or it is its Owners team.',
          404: noSuchTeam,
        },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await removeTeam(ctx, ctx.found)
    }),

  listMembers: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/members', {
        ...team,
        page: 'links',
        summary: "List a team's members",
        errors: { 404: noSuchTeam },
      }),
    )
    .input(TeamListInput)
    .output(TeamMemberPage)
    .query(({ ctx, input }) => listMembers(ctx, input)),

  getMember: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/members/{username}', {
        ...team,
        summary: 'Get a member of a team',
        errors: { 404: `${noSuchTeam} Or the user is not in it.` },
      }),
    )
    .input(TeamMemberPath)
    .output(User)
    .query(({ ctx, input }) => getMember(ctx, input)),

  addMember: ownedTeam
    .meta(
      rest('PUT', '/teams/{id}/members/{username}', {
        ...done,
        summary: 'Add a member to a team and to its organization',
        errors: {
          403: 'You do not own the organization, or a block stands between the user and it or you.',
          404: `${noSuchTeam} Or no such user.`,
        },
      }),
    )
    .input(TeamMemberPath)
    .output(z.void())
    .mutation(({ ctx, input }) => addMember(ctx, ctx.found, input.username)),

  removeMember: signedInProcedure
    .meta(
      rest('DELETE', '/teams/{id}/members/{username}', {
        ...done,
        summary: 'Remove a member from a team; with their last team they leave the organization',
        errors: {
          403: 'You do not own the organization, and it is not yourself.',
          404: `${noSuchTeam} Or no such user.`,
          422: 'The last member of the Owners team.',
        },
      }),
    )
    .input(TeamMemberPath)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeMember(ctx, input)
    }),

  listRepositories: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/repos', {
        ...team,
        page: 'links',
        summary: "List a team's repositories",
        errors: notInTeam,
      }),
    )
    .input(TeamListInput)
    .output(RepositoryPage)
    .query(({ ctx, input }) => listRepositories(ctx, input)),

  getRepository: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/repos/{org}/{repo}', {
        ...team,
        summary: 'Get a repository of a team',
        errors: { ...notInTeam, 404: `${noSuchTeam} Or it has no such repository.` },
      }),
    )
    .input(TeamRepositoryPath)
    .output(Repository)
    .query(({ ctx, input }) => getTeamRepository(ctx, input)),

  attach: signedInProcedure
    .meta(
      rest('PUT', '/teams/{id}/repos/{org}/{repo}', {
        ...done,
        summary: 'Add a repository to a team',
        errors: { 403: notRepositoryAdmin, 404: noSuchRepository },
      }),
    )
    .input(TeamRepositoryPath)
    .output(z.void())
    .mutation(({ ctx, input }) => attachRepository(ctx, input)),

  detach: signedInProcedure
    .meta(
      rest('DELETE', '/teams/{id}/repos/{org}/{repo}', {
        ...done,
        summary: 'Remove a repository from a team; one that includes all repositories keeps it',
        errors: { 403: notRepositoryAdmin, 404: noSuchRepository },
      }),
    )
    .input(TeamRepositoryPath)
    .output(z.void())
    .mutation(({ ctx, input }) => detachRepository(ctx, input)),

  preview: ownedTeam
    .input(PreviewTeamInput)
    .output(TeamPreview)
    .query(({ ctx, input }) => previewTeam(ctx, ctx.found, input)),

  previewMember: ownedTeam
    .input(PreviewMemberInput)
    .output(MemberPreview)
    .query(({ ctx, input }) => previewMember(ctx, ctx.found, input)),

  save: ownedTeam
    .input(SaveTeamInput)
    .output(Team)
    .mutation(({ ctx, input }) => saveTeam(ctx, ctx.found, input)),

  setPermissions: ownedTeam
    .input(SetPermissionsInput)
    .output(Team)
    .mutation(({ ctx, input }) => setPermissions(ctx, ctx.found, input)),

  listCandidates: ownedTeam
    .input(TeamCandidatesInput)
    .output(z.array(Candidate))
    .query(({ ctx, input }) => teamCandidates(ctx, ctx.found, input.q)),
})
