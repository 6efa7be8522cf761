import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { finishTaskForCaller, startTaskForCaller } from './caller-task'
import { controlProcedures } from './control/router'
import { createRun } from './create'
import { getAttempt, getJob, getRun } from './get'
import { listAttemptJobs, listJobs, listRuns } from './list'
import { listTasks } from './list-tasks'
import { loadActions, loadJob, loadTask } from './load'
import { permissionsRouter } from './permissions/router'
import { runsRouter } from './runs/router'
import {
  AttemptPath,
  CreateRunOption,
  FinishTaskOption,
  Job,
  JobList,
  JobPath,
  ListAttemptJobsInput,
  ListJobsInput,
  ListRunsInput,
  ListTasksInput,
  Run,
  RunList,
  RunPath,
  StartedTask,
  Task,
  TaskList,
  TaskPath,
} from './schema'
import { scopeListsRouter } from './scopes/router'

const at = '/repos/{owner}/{repo}/actions'
const common = { tag: 'actions', scopes: ['repository'] } as const
const read = { ...common, anonymous: true } as const
const hidden = {
  403: 'You do not have permission to read workflow runs.',
  404: 'The repository does not exist or is not visible to you.',
}
const noRun = { ...hidden, 404: 'The repository, run, or attempt does not exist or is not visible to you.' }
const noJob = { ...hidden, 404: 'The repository or job does not exist or is not visible to you.' }
const readOnly =
  'You do not have write access to actions and code, the repository is archived, or actions are turned off.'

const ofJob = signedInWith(JobPath, (ctx, path) => loadJob(ctx, path, 'write'))
const ofTask = signedInWith(TaskPath, (ctx, path) => loadTask(ctx, path, 'write'))
const inRepository = signedInWith(RepoPath, (ctx, path) => loadActions(ctx, path, 'write'))

export const actionsRouter = router({
  runs: runsRouter,
  ...controlProcedures,
  places: scopeListsRouter,
  permissions: permissionsRouter,

  list: openProcedure
    .meta(
      rest('GET', `${at}/runs`, {
        ...read,
        summary: "List a repository's workflow runs, newest first",
        errors: { ...hidden, 422: 'The status is invalid.' },
      }),
    )
    .input(ListRunsInput)
    .output(RunList)
    .query(({ ctx, input }) => listRuns(ctx, input)),

  create: inRepository
    .meta(
      rest('POST', `${at}/runs`, {
        ...common,
        status: 201,
        summary: 'Create a run from a workflow provided in the request',
        errors: {
          403: readOnly,
          404: 'The repository does not exist or is not visible to you.',
          422: 'The workflow is invalid. The message includes the line and column.',
        },
      }),
    )
    .input(CreateRunOption)
    .output(Run)
    .mutation(({ ctx, input }) => createRun(ctx, ctx.found, input)),

  get: openProcedure
    .meta(rest('GET', `${at}/runs/{run}`, { ...read, summary: 'Get a workflow run', errors: noRun }))
    .input(RunPath)
    .output(Run)
    .query(({ ctx, input }) => getRun(ctx, input)),

  listJobs: openProcedure
    .meta(
      rest('GET', `${at}/runs/{run}/jobs`, {
        ...read,
        summary: 'List the jobs in the latest attempt of a workflow run',
        errors: noRun,
      }),
    )
    .input(ListJobsInput)
    .output(JobList)
    .query(({ ctx, input }) => listJobs(ctx, input)),

  listTasks: openProcedure
    .meta(
      rest('GET', `${at}/tasks`, {
        ...read,
        summary: "List the executions of a repository's jobs, newest first",
        errors: hidden,
      }),
    )
    .input(ListTasksInput)
    .output(TaskList)
    .query(({ ctx, input }) => listTasks(ctx, input)),

  getAttempt: openProcedure
    .meta(
      rest('GET', `${at}/runs/{run}/attempts/{attempt}`, {
        ...read,
        summary: 'Get a workflow run as of a specific attempt',
        errors: noRun,
      }),
    )
    .input(AttemptPath)
    .output(Run)
    .query(({ ctx, input }) => getAttempt(ctx, input)),

  listAttemptJobs: openProcedure
    .meta(
      rest('GET', `${at}/runs/{run}/attempts/{attempt}/jobs`, {
        ...read,
        summary: 'List the jobs in an attempt, including jobs from earlier attempts that it did not rerun',
        errors: noRun,
      }),
    )
    .input(ListAttemptJobsInput)
    .output(JobList)
    .query(({ ctx, input }) => listAttemptJobs(ctx, input)),

  getJob: openProcedure
    .meta(
      rest('GET', `${at}/jobs/{job_id}`, {
        ...read,
        summary: 'Get a job from a workflow run',
        errors: noJob,
      }),
    )
    .input(JobPath)
    .output(Job)
    .query(({ ctx, input }) => getJob(ctx, input)),

  startTask: ofJob
    .meta(
      rest('POST', `${at}/jobs/{job_id}/tasks`, {
        ...common,
        status: 201,
        summary: 'Start a job without a runner and get its token, which is shown only once',
        errors: {
          ...noJob,
          403: readOnly,
          409: 'The job has already started.',
          422: 'The job is waiting for jobs that it depends on.',
        },
      }),
    )
    .output(StartedTask)
    .mutation(({ ctx }) => startTaskForCaller(ctx, ctx.found)),

  finishTask: ofTask
    .meta(
      rest('PATCH', `${at}/tasks/{task_id}`, {
        ...common,
        summary: "Finish a task with its job's conclusion and invalidate the job token",
        errors: {
          403: 'You do not have permission to manage workflow runs.',
          404: 'The repository or task does not exist or is not visible to you.',
          409: 'The task has already ended with a different conclusion.',
        },
      }),
    )
    .input(FinishTaskOption)
    .output(Task)
    .mutation(({ ctx, input }) => finishTaskForCaller(ctx, ctx.found, input)),
})
