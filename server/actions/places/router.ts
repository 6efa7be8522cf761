import { z } from 'zod'
import { loadPlace } from '@/server/places'
import { type PlaceName, placePaths } from '@/server/places/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { JobList, ListPlaceJobsInput, ListPlaceRunsInput, ListRepoJobsInput, RunList } from '../schema'
import { listPlaceJobs, listPlaceRuns, listRepoJobs } from './list'

interface Named {
  at: '/user/actions' | '/orgs/{org}/actions' | '/admin/actions'
  scope: Exclude<PlaceName['scope'], 'repository'>
  tag: 'user' | 'organization' | 'admin'
  /** For the API document. */
  whose: string
  errors: Record<number, string>
}

/** The lists of runs and jobs of a person, an organization and the site. */
function listsOf({ at, scope, tag, whose, errors }: Named) {
  const path: z.ZodObject = z.object(placePaths[scope])
  const place = signedInWith(path, (ctx, named) => loadPlace(ctx, { ...named, scope } as PlaceName))
  const shared = { tag, scopes: [tag], private: true } as const
  const failures = { ...errors, 422: 'The status is unknown.' }
  return router({
    runs: place
      .meta(
        rest('GET', `${at}/runs`, {
          ...shared,
          summary: `List the workflow runs of ${whose}, newest first`,
          errors: failures,
        }),
      )
      .input(ListPlaceRunsInput)
      .output(RunList)
      .query(({ ctx, input }) => listPlaceRuns(ctx, ctx.found, input)),

    jobs: place
      .meta(
        rest('GET', `${at}/jobs`, {
          ...shared,
          summary: `List the workflow jobs of ${whose}, newest first`,
          errors: failures,
        }),
      )
      .input(ListPlaceJobsInput)
      .output(JobList)
      .query(({ ctx, input }) => listPlaceJobs(ctx, ctx.found, input)),
  })
}

export const placeListsRouter = router({
  ofRepository: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/actions/jobs', {
        tag: 'actions',
        scopes: ['repository'],
        anonymous: true,
        summary: 'List the workflow jobs of a repository, newest first',
        errors: {
          403: 'You may not read the workflow runs.',
          404: 'No such repository, or not visible to you.',
          422: 'The status is unknown.',
        },
      }),
    )
    .input(ListRepoJobsInput)
    .output(JobList)
    .query(({ ctx, input }) => listRepoJobs(ctx, input)),

  own: listsOf({ at: '/user/actions', scope: 'own', tag: 'user', whose: 'your repositories', errors: {} }),

  organization: listsOf({
    at: '/orgs/{org}/actions',
    scope: 'organization',
    tag: 'organization',
    whose: 'the repositories of an organization',
    errors: {
      403: 'You do not own the organization.',
      404: 'No such organization, or not visible to you.',
    },
  }),

  site: listsOf({
    at: '/admin/actions',
    scope: 'site',
    tag: 'admin',
    whose: 'all repositories',
    errors: { 403: 'You are not a site administrator.' },
  }),
})
