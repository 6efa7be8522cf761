import { router } from '@/server/trpc/init'
import { openProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import {
  getMyFeed,
  getOrgFeed,
  getRepositoryFeed,
  getTeamFeed,
  getUserFeed,
  showRepositoryHome,
} from './feeds'
import { getFirstSteps } from './first-steps'
import {
  ActivityPage,
  FirstSteps,
  MyFeedInput,
  OrgFeedInput,
  RepositoryFeedInput,
  RepositoryHomeInput,
  RepositoryHomePage,
  TeamFeedInput,
  UserFeedInput,
} from './schema'

export const activityRouter = router({
  getFirstSteps: signedInProcedure.output(FirstSteps).query(({ ctx }) => getFirstSteps(ctx)),

  listMine: signedInProcedure
    .input(MyFeedInput)
    .output(ActivityPage)
    .query(({ ctx, input }) => getMyFeed(ctx, input)),

  listOfTeam: signedInProcedure
    .meta(
      rest('GET', '/teams/{id}/activities/feeds', {
        tag: 'organization',
        scopes: ['organization'],
        page: 'links',
        summary: "List the activity in a team's repositories",
        errors: {
          403: 'You are a member of the organization but not of the team.',
          404: 'The team does not exist.',
        },
      }),
    )
    .input(TeamFeedInput)
    .output(ActivityPage)
    .query(({ ctx, input }) => getTeamFeed(ctx, input)),

  listOfOrg: openProcedure
    .meta(
      rest('GET', '/orgs/{org}/activities/feeds', {
        tag: 'organization',
        scopes: ['organization'],
        anonymous: true,
        page: 'count',
        summary: "List the activity in an organization's repositories",
        errors: { 404: 'The organization does not exist or is not visible to you.' },
      }),
    )
    .input(OrgFeedInput)
    .output(ActivityPage)
    .query(({ ctx, input }) => getOrgFeed(ctx, input)),

  listOfUser: openProcedure
    .meta(
      rest('GET', '/users/{username}/activities/feeds', {
        formerNames: true,
        tag: 'user',
        scopes: ['user'],
        anonymous: true,
        page: 'links',
        summary: "List a user's activity",
        errors: { 404: 'The user does not exist or is not visible to you.' },
      }),
    )
    .input(UserFeedInput)
    .output(ActivityPage)
    .query(({ ctx, input }) => getUserFeed(ctx, input)),

  listOfRepository: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/activities/feeds', {
        tag: 'repository',
        scopes: ['repository'],
        anonymous: true,
        page: 'links',
        summary: 'List the activity in a repository',
        errors: { 404: 'The repository does not exist or is not visible to you.' },
      }),
    )
    .input(RepositoryFeedInput)
    .output(ActivityPage)
    .query(({ ctx, input }) => getRepositoryFeed(ctx, input)),

  getRepositoryHome: openProcedure
    .input(RepositoryHomeInput)
    .output(RepositoryHomePage)
    .query(({ ctx, input }) => showRepositoryHome(ctx, input)),
})
