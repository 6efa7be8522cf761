import { z } from 'zod'
import { loadOrganization } from '@/server/orgs'
import { OrgPath } from '@/server/orgs/schema'
import { router } from '@/server/trpc/init'
import { signedInProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { createTeam } from './create'
import { editTeam, saveTeam } from './edit'
import { browseTeams, listMyTeams, listOrgTeams, searchTeams, showTeam, showTeamByName } from './list'
import { loadTeam } from './load'
import { memberProcedures } from './members/router'
import { permissionProcedures } from './permissions/router'
import { removeTeam } from './remove'
import { repositoryProcedures } from './repositories/router'
import { done, noSuchTeam, notInTeam, team } from './rest'
import {
  BrowsedTeamPage,
  BrowseTeamsInput,
  CreateTeamOption,
  EditTeamOption,
  MyTeamsInput,
  OrgTeamsInput,
  SaveTeamInput,
  SearchTeamsInput,
  Team,
  TeamNamePath,
  TeamPage,
  TeamPath,
} from './schema'

const noSuchOrg = 'The organization does not exist or is not visible to you.'
const notInOrg = { 403: 'You are not a member of the organization.', 404: noSuchOrg }
const wrongTeam = 'The name is missing, reserved, in use, or invalid, or a unit or permission is invalid.'

const ownedOrg = signedInWith(OrgPath, (ctx, { org }) => loadOrganization(ctx, org, 'ownership'))
const ownedTeam = signedInWith(TeamPath, (ctx, { id }) => loadTeam(ctx, id, 'ownership'))

export const teamsRouter = router({
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
        summary: 'Search your teams in an organization',
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
        summary: 'List your teams',
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
          500: 'The team has less than admin permission and no units, or an internal error occurred. In that case, the message contains a request ID to report.',
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
        summary: 'Update a team',
        errors: {
          403: 'You do not own the organization, or you tried to rename its Owners team.',
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
        summary: 'Delete a team; members of no other team also leave the organization',
        errors: {
          403: 'You do not own the organization, or the team is its Owners team.',
          404: noSuchTeam,
        },
      }),
    )
    .output(z.void())
    .mutation(async ({ ctx }) => {
      await removeTeam(ctx, ctx.found)
    }),

  save: ownedTeam
    .input(SaveTeamInput)
    .output(Team)
    .mutation(({ ctx, input }) => saveTeam(ctx, ctx.found, input)),

  ...memberProcedures,
  ...repositoryProcedures,
  ...permissionProcedures,
})
