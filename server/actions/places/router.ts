import { z } from 'zod'
import { loadPlace } from '@/server/places'
import { placeKit } from '@/server/places/router'
import type { PlaceName } from '@/server/places/schema'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { JobList, ListPlaceJobsInput, ListPlaceRunsInput, ListRepoJobsInput, RunList } from '../schema'
import { listPlaceJobs, listPlaceRuns, listRepoJobs } from './list'

/** The lists of runs and jobs of a person, an organization and the site. */
function listsOf(
  scope: Exclude<PlaceName['scope'], 'repository'>,
  whose: string,
  refusals: Record<number, string>,
) {
  const { prefix, beyondPublic, procedure } = placeKit(scope)
  const place = procedure(z.object({}), loadPlace)
  const errors = { ...refusals, 422: 'The status is unknown.' }
  return router({
    runs: place
      .meta(
        rest('GET', `${prefix}/actions/runs`, {
          ...beyondPublic,
          summary: `List the workflow runs of ${whose}, newest first`,
          errors,
        }),
      )
      .input(ListPlaceRunsInput)
      .output(RunList)
      .query(({ ctx, input }) => listPlaceRuns(ctx, ctx.found, input)),

    jobs: place
      .meta(
        rest('GET', `${prefix}/actions/jobs`, {
          ...beyondPublic,
          summary: `List the workflow jobs of ${whose}, newest first`,
          errors,
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

  own: listsOf('own', 'your repositories', {}),

  organization: listsOf(
    'organization',
    'the repositories of an organization',
    placeKit('organization').errors,
  ),

  site: listsOf('site', 'all repositories', { 403: 'You are not a site administrator.' }),
})
