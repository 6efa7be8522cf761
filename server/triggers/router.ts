import { z } from 'zod'
import { loadActions } from '@/server/actions'
import { RunList, WorkflowEntry } from '@/server/actions/schema'
import { loadRepository, writeCode } from '@/server/repos'
import { RepoPath } from '@/server/repos/schema'
import { router } from '@/server/trpc/init'
import { actingWith, openProcedure, signedInProcedure } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { dispatchWorkflow, showDispatchForm } from './dispatch'
import { dispatchRepository } from './repository-dispatch'
import {
  BrowsedWorkflows,
  DispatchedRun,
  DispatchForm,
  DispatchFormInput,
  DispatchOption,
  ListWorkflowRunsInput,
  RepositoryDispatchOption,
  WorkflowList,
  WorkflowPath,
} from './schema'
import { browseWorkflows, getWorkflow, listRunsOfWorkflow, listWorkflows, switchWorkflow } from './workflows'

const at = '/repos/{owner}/{repo}/actions/workflows'
const common = { tag: 'actions', scopes: ['repository'] } as const
const open = { ...common, anonymous: true } as const
const change = { ...common, job: 'actions' } as const
const errors = {
  403: 'You do not have permission to read workflows.',
  404: 'The repository or workflow does not exist or is not visible to you.',
}
const written = {
  ...errors,
  403: 'You do not have permission to manage workflows, or the repository is archived.',
}

const ofWorkflow = actingWith(WorkflowPath, (ctx, path) => loadActions(ctx, path, 'write'))

export const triggersRouter = router({
  list: openProcedure
    .meta(rest('GET', at, { ...open, summary: 'List workflows on the default branch', errors }))
    .input(RepoPath)
    .output(WorkflowList)
    .query(({ ctx, input }) => listWorkflows(ctx, input)),

  get: openProcedure
    .meta(
      rest('GET', `${at}/{workflow_id}`, {
        ...open,
        summary: 'Get a workflow on the default branch',
        errors,
      }),
    )
    .input(WorkflowPath)
    .output(WorkflowEntry)
    .query(({ ctx, input }) => getWorkflow(ctx, input)),

  listRuns: openProcedure
    .meta(
      rest('GET', `${at}/{workflow_id}/runs`, {
        ...open,
        summary: 'List the runs of a workflow, newest first',
        errors: { ...errors, 422: 'The status is invalid.' },
      }),
    )
    .input(ListWorkflowRunsInput)
    .output(RunList)
    .query(({ ctx, input }) => listRunsOfWorkflow(ctx, input)),

  enable: ofWorkflow
    .meta(
      rest('PUT', `${at}/{workflow_id}/enable`, {
        ...change,
        status: 204,
        summary: 'Enable a workflow',
        errors: written,
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => switchWorkflow(ctx, ctx.found, { ...input, enabled: true })),

  disable: ofWorkflow
    .meta(
      rest('PUT', `${at}/{workflow_id}/disable`, {
        ...change,
        status: 204,
        summary: 'Disable a workflow so that nothing starts it, although other workflows can still call it',
        errors: written,
      }),
    )
    .output(z.void())
    .mutation(({ ctx, input }) => switchWorkflow(ctx, ctx.found, { ...input, enabled: false })),

  dispatch: ofWorkflow
    .meta(
      rest('POST', `${at}/{workflow_id}/dispatches`, {
        ...change,
        statusOfNull: 204,
        query: ['return_run_details'],
        summary: 'Start a workflow that has a `workflow_dispatch` trigger',
        errors: {
          403: 'You do not have permission to manage workflows, the repository is archived, or actions or the workflow are disabled.',
          404: 'The repository, ref, or workflow does not exist or is not visible to you.',
          422: 'The workflow is invalid or cannot be started manually, or an input is invalid.',
        },
      }),
    )
    .input(DispatchOption)
    .output(DispatchedRun.nullable())
    .mutation(async ({ ctx, input }) => {
      const run = await dispatchWorkflow(ctx, ctx.found, input)
      return input.return_run_details ? run : null
    }),

  dispatchRepository: actingWith(RepoPath, (ctx, path) => loadRepository(ctx, path, writeCode))
    .meta(
      rest('POST', '/repos/{owner}/{repo}/dispatches', {
        ...common,
        job: 'contents',
        status: 204,
        summary: 'Start workflows that have a `repository_dispatch` trigger',
        errors: {
          403: 'You do not have write access to the code, the repository is archived, or actions are turned off.',
          404: 'The repository does not exist or is not visible to you.',
          422: 'The event type or the payload is invalid.',
        },
      }),
    )
    .input(RepositoryDispatchOption)
    .output(z.void())
    .mutation(({ ctx, input }) => dispatchRepository(ctx, ctx.found, input)),

  browse: openProcedure
    .input(RepoPath)
    .output(BrowsedWorkflows)
    .query(({ ctx, input }) => browseWorkflows(ctx, input)),

  showForm: signedInProcedure
    .input(DispatchFormInput)
    .output(DispatchForm)
    .query(({ ctx, input }) => showDispatchForm(ctx, input)),
})
