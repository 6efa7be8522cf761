import { z } from 'zod'
import { actingWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { cancelRun } from '../cancel-run'
import { loadRun } from '../load'
import { Job, Run, RunJobPath, RunPath } from '../schema'
import { removeRun } from './remove'
import { rerunJob, rerunRun } from './rerun'

const at = '/repos/{owner}/{repo}/actions/runs/{run}'
const common = { tag: 'actions', scopes: ['repository'], job: 'actions' } as const
const errors = {
  403: 'You do not have permission to manage workflow runs, or the repository is archived.',
  404: 'The repository or run does not exist or is not visible to you.',
}
const again = {
  ...errors,
  403: 'You do not have permission to manage workflow runs, the repository is archived, or actions are turned off.',
  409: 'The run has not completed.',
  422: "The run's workflow is invalid.",
}

const ofRun = actingWith(RunPath, (ctx, path) => loadRun(ctx, path, 'write'))
const ofJobOfRun = actingWith(RunJobPath, (ctx, path) => loadRun(ctx, path, 'write'))

/** Procedures that cancel, rerun and delete a run. */
export const controlProcedures = {
  cancel: ofRun
    .meta(
      rest('POST', `${at}/cancel`, {
        ...common,
        status: 204,
        summary: 'Cancel a workflow run',
        errors: { ...errors, 409: 'The run has already completed.' },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => cancelRun(ctx, ctx.found)),

  rerun: ofRun
    .meta(
      rest('POST', `${at}/rerun`, {
        ...common,
        status: 201,
        summary: 'Rerun all jobs in a workflow run',
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
        summary: 'Rerun the failed and canceled jobs in a workflow run and the jobs that depend on them',
        errors: { ...again, 422: "No jobs failed, or the run's workflow is invalid." },
      }),
    )
    .output(Run)
    .mutation(({ ctx }) => rerunRun(ctx, ctx.found, 'failed')),

  rerunJob: ofJobOfRun
    .meta(
      rest('POST', `${at}/jobs/{job_id}/rerun`, {
        ...common,
        status: 201,
        summary: 'Rerun a job from the latest attempt and the jobs that depend on it',
        errors: { ...again, 404: 'The repository, run, or job does not exist or is not visible to you.' },
      }),
    )
    .output(Job)
    .mutation(({ ctx, input }) => rerunJob(ctx, ctx.found, input.job_id)),

  remove: ofRun
    .meta(
      rest('DELETE', at, {
        ...common,
        status: 204,
        summary: 'Delete a completed workflow run along with its jobs, logs, and artifacts',
        errors: { ...errors, 400: 'The run has not completed.' },
      }),
    )
    .output(z.void())
    .mutation(({ ctx }) => removeRun(ctx, ctx.found)),
}
