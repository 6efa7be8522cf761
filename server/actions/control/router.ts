import { z } from 'zod'
import { signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { cancelRun } from '../cancel-run'
import { loadRun } from '../load'
import { Job, Run, RunJobPath, RunPath } from '../schema'
import { removeRun } from './remove'
import { rerunJob, rerunRun } from './rerun'

const at = '/repos/{owner}/{repo}/actions/runs/{run}'
const common = { tag: 'actions', scopes: ['repository'] } as const
const errors = {
  403: 'You may not write actions, or the repository is archived.',
  404: 'No such repository or run, or not visible to you.',
}
const again = {
  ...errors,
  403: 'You may not write actions, the repository is archived, or actions are off there.',
  409: 'The run has not completed.',
  422: 'The workflow of the run is invalid.',
}

const ofRun = signedInWith(RunPath, (ctx, path) => loadRun(ctx, path, 'write'))
const ofJobOfRun = signedInWith(RunJobPath, (ctx, path) => loadRun(ctx, path, 'write'))

/** What people do with a run: cancel it, run it again, or delete it. */
export const controlProcedures = {
  cancel: ofRun
    .meta(
      rest('POST', `${at}/cancel`, {
        ...common,
        status: 204,
        summary: 'Cancel a workflow run',
        errors: { ...errors, 409: 'The run has completed already.' },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => cancelRun(ctx, ctx.found)),

  rerun: ofRun
    .meta(
      rest('POST', `${at}/rerun`, {
        ...common,
        status: 201,
        summary: 'Run all jobs of a workflow run again',
        errors: again,
      }),
    )
    .output(Run)
    .mutation(({ ctx }) => rerunRun(ctx, ctx.found, 'all')),

  rerunFailed: ofRun
    .meta(
      rest('POST', `${at}/rerun-failed-jobs`, {
        ...common,
        status: 201,
        summary: 'Run the jobs that failed or were canceled again, with the jobs that need them',
        errors: { ...again, 422: 'No job failed, or the workflow of the run is invalid.' },
      }),
    )
    .output(Run)
    .mutation(({ ctx }) => rerunRun(ctx, ctx.found, 'failed')),

  rerunJob: ofJobOfRun
    .meta(
      rest('POST', `${at}/jobs/{job_id}/rerun`, {
        ...common,
        status: 201,
        summary: 'Run a job of the latest attempt again, with the jobs that need it',
        errors: { ...again, 404: 'No such repository, run or job, or not visible to you.' },
      }),
    )
    .output(Job)
    .mutation(({ ctx, input }) => rerunJob(ctx, ctx.found, input.job_id)),

  remove: ofRun
    .meta(
      rest('DELETE', at, {
        ...common,
        status: 204,
        summary: 'Delete a completed workflow run with its jobs, logs and artifacts',
        errors: { ...errors, 400: 'The run has not completed.' },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeRun(ctx, ctx.found)),
}
