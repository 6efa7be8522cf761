import { z } from 'zod'
import { loadScope } from '@/server/scopes'
import { scopeKit } from '@/server/scopes/router'
import type { ScopeName } from '@/server/scopes/schema'
import { router } from '@/server/trpc/init'
import { openProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { JobList, ListRepoJobsInput, ListScopeJobsInput, ListScopeRunsInput, RunList } from '../schema'
import { listRepoJobs, listScopeJobs, listScopeRuns } from './list'

/** Returns the endpoints that list the runs and jobs of a person, an organization or the site. */
function listsOf(
  kind: Exclude<ScopeName['kind'], 'repository'>,
  whose: string,
  refusals: Record<number, string>,
) {
  const { prefix, beyondPublic, procedure } = scopeKit(kind)
  const scope = procedure(z.object({}), loadScope)
  const errors = { ...refusals, 422: 'The status is invalid.' }
  return router({
    runs: scope
      .meta(
        rest('GET', `${prefix}/actions/runs`, {
          ...beyondPublic,
          summary: `List workflow runs in ${whose}, newest first`,
          errors,
        }),
      )
      .input(ListScopeRunsInput)
      .output(RunList)
      .query(({ ctx, input }) => listScopeRuns(ctx, ctx.found, input)),

    jobs: scope
      .meta(
        rest('GET', `${prefix}/actions/jobs`, {
          ...beyondPublic,
          summary: `List workflow jobs in ${whose}, newest first`,
          errors,
        }),
      )
      .input(ListScopeJobsInput)
      .output(JobList)
      .query(({ ctx, input }) => listScopeJobs(ctx, ctx.found, input)),
  })
}

export const scopeListsRouter = router({
  ofRepository: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/actions/jobs', {
        tag: 'actions',
        scopes: ['repository'],
        anonymous: true,
        summary: "List a repository's workflow jobs, newest first",
        errors: {
          403: 'You do not have permission to read workflow runs.',
          404: 'The repository does not exist or is not visible to you.',
          422: 'The status is invalid.',
        },
      }),
    )
    .input(ListRepoJobsInput)
    .output(JobList)
    .query(({ ctx, input }) => listRepoJobs(ctx, input)),

  own: listsOf('own', 'your repositories', {}),

  organization: listsOf('organization', "an organization's repositories", scopeKit('organization').errors),

  site: listsOf('site', 'all repositories', { 403: 'You are not a site administrator.' }),
})
