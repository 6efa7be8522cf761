import { z } from 'zod'
import { JobPath } from '@/server/actions/schema'
import { loadScope } from '@/server/scopes'
import { scopeKit } from '@/server/scopes/router'
import type { ScopeName } from '@/server/scopes/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { changeRunner } from './edit'
import { listRunnerJobs } from './history'
import { listRunners } from './list'
import { loadRunner } from './load'
import { manageRunnersRouter } from './manage/router'
import { issueRegistrationToken, resetRegistrationToken } from './registration'
import { removeRunner } from './remove'
import {
  ActionRunner,
  ActionRunnerList,
  DemandList,
  EditActionRunnerOption,
  ListRunnersInput,
  RegistrationToken,
  RunnerJobList,
  RunnerJobsInput,
  RunnerPath,
  WaitingJobPage,
  WaitingJobsInput,
} from './schema'
import { viewRunner } from './view'
import { countWaitingJobs, listWaitingJobs } from './waiting/demand'
import { explainWaiting } from './waiting/explain'
import { WaitingExplanation } from './waiting/schema'

/** Returns the runner endpoints for one kind of scope. */
function endpointsOf(kind: ScopeName['kind']) {
  const { prefix, whose, shared, beyondPublic: about, procedure, ...kit } = scopeKit(kind)
  const at = `${prefix}/actions/runners` as const
  const scope = procedure(z.object({}), loadScope)
  const runner = procedure(RunnerPath, (ctx, name, { runner_id: id }) => loadRunner(ctx, name, id))
  const aboutScope = kit.errors
  const aboutRunner = kit.errorsOfOne('runner')
  // Any runner with this token gets the secrets of jobs, so reading it takes write access.
  const token = { ...shared, private: true, level: 'write', errors: aboutScope } as const

  return router({
    // These must precede the endpoints of a runner, whose ID matches the same path segment.
    token: scope
      .meta(
        rest('POST', `${at}/registration-token`, {
          ...token,
          summary: `Get the registration token for runners of ${whose}, which stays the same until it is reset`,
        }),
      )
      .output(RegistrationToken)
      .mutation(async ({ ctx }) => ({ token: await issueRegistrationToken(ctx, ctx.found) })),

    getToken: scope
      .meta(
        rest('GET', `${at}/registration-token`, {
          ...token,
          summary: `Get the registration token for runners of ${whose} (older clients)`,
        }),
      )
      .output(RegistrationToken)
      .query(async ({ ctx }) => ({ token: await issueRegistrationToken(ctx, ctx.found) })),

    resetToken: scope
      .meta(
        rest('POST', `${at}/registration-token/reset`, {
          ...token,
          summary: `Reset the registration token for runners of ${whose}; registered runners are kept`,
        }),
      )
      .output(RegistrationToken)
      .mutation(async ({ ctx }) => ({ token: await resetRegistrationToken(ctx, ctx.found) })),

    listWaiting: scope
      .meta(
        rest('GET', `${at}/jobs`, {
          ...about,
          page: 'count',
          summary: `List up to 1,000 jobs waiting for runners of ${whose}, longest wait first`,
          errors: aboutScope,
        }),
      )
      .input(WaitingJobsInput)
      .output(WaitingJobPage)
      .query(({ ctx, input }) => listWaitingJobs(ctx, ctx.found, input.labels)),

    countWaiting: scope
      .meta(
        rest('GET', `${at}/demand`, {
          ...about,
          summary: `Count the jobs waiting for runners of ${whose}, by the labels they require`,
          errors: aboutScope,
        }),
      )
      .input(WaitingJobsInput)
      .output(DemandList)
      .query(({ ctx, input }) => countWaitingJobs(ctx, ctx.found, input.labels)),

    list: scope
      .meta(
        rest('GET', at, {
          ...shared,
          summary: `List runners for ${whose}, most recently connected first`,
          errors: { ...aboutScope, 400: '`disabled` must be true or false.' },
        }),
      )
      .input(ListRunnersInput)
      .output(ActionRunnerList)
      .query(async ({ ctx, input }) => {
        const { items, total } = await listRunners(ctx, ctx.found, input)
        return { runners: items.map(row => viewRunner(row, ctx.clock.now())), total_count: total }
      }),

    get: runner
      .meta(
        rest('GET', `${at}/{runner_id}`, {
          ...shared,
          summary: `Get a runner for ${whose}`,
          errors: aboutRunner,
        }),
      )
      .output(ActionRunner)
      .query(({ ctx }) => viewRunner(ctx.found.runner, ctx.clock.now())),

    edit: runner
      .meta(
        rest('PATCH', `${at}/{runner_id}`, {
          ...shared,
          summary: `Disable or enable a runner for ${whose}, or edit its labels`,
          errors: {
            ...aboutRunner,
            400: 'A label is invalid.',
            422: '`disabled` is missing, or another field is invalid.',
          },
        }),
      )
      .input(EditActionRunnerOption)
      .output(ActionRunner)
      .mutation(async ({ ctx, input: { runner_id: _, ...edit } }) =>
        viewRunner(await changeRunner(ctx, ctx.found, () => edit), ctx.clock.now()),
      ),

    remove: runner
      .meta(
        rest('DELETE', `${at}/{runner_id}`, {
          ...shared,
          status: 204,
          summary: `Delete a runner for ${whose}; any jobs it is running will fail`,
          errors: aboutRunner,
        }),
      )
      .output(z.void())
      .mutation(({ ctx }) => removeRunner(ctx, ctx.found)),

    listJobs: runner
      .meta(
        rest('GET', `${at}/{runner_id}/jobs`, {
          ...about,
          summary: `List the jobs that a runner for ${whose} has run, newest first`,
          errors: aboutRunner,
        }),
      )
      .input(RunnerJobsInput)
      .output(RunnerJobList)
      .query(async ({ ctx, input }) => {
        const { items, total } = await listRunnerJobs(ctx, ctx.found, input)
        return { jobs: items, total_count: total }
      }),
  })
}

const site = signedInWith(z.object({}), ctx => loadScope(ctx, { kind: 'site' }))

export const runnersRouter = router({
  getFormerToken: site
    .meta(
      rest('GET', '/admin/runners/registration-token', {
        tag: 'admin',
        scopes: ['admin'],
        private: true,
        level: 'write',
        summary: 'Get the registration token for site runners (deprecated path)',
        errors: { 403: 'You are not a site administrator.' },
      }),
    )
    .output(RegistrationToken)
    .query(async ({ ctx }) => ({ token: await issueRegistrationToken(ctx, ctx.found) })),

  manage: manageRunnersRouter,

  explainWaiting: openProcedure
    .meta(
      rest('GET', '/repos/{owner}/{repo}/actions/jobs/{job_id}/waiting', {
        tag: 'actions',
        scopes: ['repository'],
        anonymous: true,
        summary: 'Explain why a job is waiting',
        errors: {
          403: 'You do not have permission to read workflow runs.',
          404: 'The repository or job does not exist or is not visible to you.',
        },
      }),
    )
    .input(JobPath)
    .output(WaitingExplanation)
    .query(({ ctx, input }) => explainWaiting(ctx, input)),

  ofOrganization: endpointsOf('organization'),
  ofRepository: endpointsOf('repository'),
  own: endpointsOf('own'),
  ofSite: endpointsOf('site'),
})
