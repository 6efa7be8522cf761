import { z } from 'zod'
import { githubPageInput } from '@/server/kernel/pagination'
import { filledLine, id, line, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath, Repository } from '@/server/repos/schema'
import { User } from '@/server/users/schema'

export const runStatuses = ['queued', 'waiting', 'in_progress', 'completed'] as const
export const runConclusions = ['success', 'failure', 'cancelled', 'skipped'] as const

const status = z.enum(runStatuses)
const conclusion = z.enum(runConclusions)
const time = wireTimeSchema.describe('`0001-01-01T00:00:00Z` if this has not happened yet.')

export const Run = z
  .object({
    id: wireId,
    url: z.string(),
    previous_attempt_url: z.string().nullable(),
    html_url: z.string(),
    display_title: z.string(),
    path: z.string().describe('The path of the workflow file and the ref, in the form `path@ref`.'),
    event: z.string(),
    run_attempt: z.int(),
    run_number: z.int().describe("The run's number within its repository, starting at 1."),
    repository_id: wireId,
    head_sha: z.string(),
    head_branch: z.string().optional(),
    status,
    conclusion: conclusion.optional(),
    actor: User,
    trigger_actor: User.describe('The user who started this attempt.'),
    repository: Repository,
    pull_requests: z.array(z.never()).nullable(),
    error: z
      .string()
      .optional()
      .describe('Why the workflow is invalid. If set, the run failed without starting any jobs.'),
    warnings: z
      .array(z.string())
      .optional()
      .describe('What the workflow requests but the run does not do, with line and column.'),
    created_at: wireTimeSchema,
    started_at: time,
    completed_at: time,
  })
  .meta({ id: 'ActionWorkflowRun' })
export type Run = z.output<typeof Run>

const Step = z.object({
  name: z.string(),
  number: z.int(),
  status,
  conclusion: conclusion.optional(),
  started_at: time,
  completed_at: time,
})

export const Job = z
  .object({
    id: wireId,
    url: z.string(),
    html_url: z.string(),
    run_id: wireId,
    run_url: z.string(),
    name: z.string(),
    labels: z.array(z.string()).describe('Empty until all of them are known.'),
    needs: z
      .array(z.string())
      .describe('The IDs, as defined in the workflow, of the jobs that must complete first.'),
    run_attempt: z.int().describe('The attempt that ran the job, which may be an earlier attempt.'),
    head_sha: z.string(),
    head_branch: z.string().optional(),
    status,
    conclusion: conclusion.optional(),
    message: z
      .string()
      .optional()
      .describe('Why the job was skipped, failed, or was canceled, if no report of its runner ended it.'),
    runner_id: wireId
      .optional()
      .describe('Absent until a runner picks up the job, and absent again if that runner is deleted.'),
    runner_name: z.string(),
    steps: z.array(Step),
    permissions: z
      .record(z.string(), z.enum(['none', 'read', 'write']))
      .optional()
      .describe('What the workflow requests for the job token, by scope; absent if it has no `permissions`.'),
    created_at: wireTimeSchema,
    started_at: time,
    completed_at: time,
  })
  .meta({ id: 'ActionWorkflowJob' })
export type Job = z.output<typeof Job>

/** Workflow file that can start runs. */
export const WorkflowEntry = z
  .object({
    id: z.string().describe('The name of the workflow file.'),
    name: z.string(),
    path: z.string(),
    state: z.enum(['active', 'disabled_manually']),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
    url: z.string(),
    html_url: z.string(),
    badge_url: z.string(),
  })
  .meta({ id: 'ActionWorkflow' })
export type WorkflowEntry = z.output<typeof WorkflowEntry>

export const RunList = z
  .object({ workflow_runs: z.array(Run), total_count: wireId })
  .meta({ id: 'ActionWorkflowRunsResponse' })
export type RunList = z.output<typeof RunList>
export const JobList = z
  .object({ jobs: z.array(Job), total_count: wireId })
  .meta({ id: 'ActionWorkflowJobsResponse' })
export type JobList = z.output<typeof JobList>

/** Execution of a job, as Gitea lists it. */
export const ListedTask = z
  .object({
    id: wireId,
    name: z.string().describe('The name of the job.'),
    head_branch: z.string().optional(),
    head_sha: z.string(),
    run_number: z.int(),
    event: z.string(),
    display_title: z.string(),
    status: z.enum(['running', ...runConclusions]),
    workflow_id: z.string().describe('The name of the workflow file.'),
    url: z.string().describe("The run's page."),
    created_at: wireTimeSchema,
    updated_at: wireTimeSchema,
    run_started_at: wireTimeSchema,
  })
  .meta({ id: 'ActionListedTask' })
export type ListedTask = z.output<typeof ListedTask>
export const TaskList = z
  .object({ workflow_runs: z.array(ListedTask), total_count: wireId })
  .meta({ id: 'ActionTaskResponse' })
export type TaskList = z.output<typeof TaskList>

export const StartedTask = z
  .object({
    id: wireId,
    job_id: wireId,
    run_id: wireId,
    token: z.string().describe('The job token, which is shown only once.'),
    expires_at: wireTimeSchema,
    environment: z
      .object({
        ACTIONS_RUNTIME_TOKEN: z.string(),
        ACTIONS_RESULTS_URL: z.string(),
        GITHUB_RUN_ID: z.string(),
        GITHUB_REPOSITORY: z.string(),
        GITHUB_RETENTION_DAYS: z.string(),
      })
      .describe('Environment variables that artifact clients read.'),
  })
  .meta({ id: 'ActionStartedTask' })
export type StartedTask = z.output<typeof StartedTask>

export const FinishTaskOption = z.object({
  conclusion: z.enum(runConclusions, {
    error: 'The conclusion must be success, failure, cancelled, or skipped.',
  }),
})
export type FinishTaskOption = z.output<typeof FinishTaskOption>

export const Task = z
  .object({
    id: wireId,
    job_id: wireId,
    run_id: wireId,
    status: z.enum(['running', 'cancelling', 'ended']),
    conclusion,
    expires_at: wireTimeSchema,
  })
  .meta({ id: 'ActionTask' })
export type Task = z.output<typeof Task>

// Zod counts characters; the parser checks the limit in bytes.
const maxDocumentLength = 512 * 1024

const document = z
  .string()
  .min(1, 'A workflow in YAML is required.')
  .max(maxDocumentLength, 'The workflow must be at most 512 KiB.')
  .transform(text => text.replaceAll('\0', '').toWellFormed())
  .meta({ override: { type: 'string', maxLength: maxDocumentLength } })

export const CreateRunOption = z.object({
  workflow: document.describe('The workflow, in YAML.'),
  path: filledLine(255, 'The path of the workflow file must not be empty.')
    .default('workflow.yml')
    .describe('The path of the workflow file, for display only.'),
  event: z
    .string()
    .regex(/^[a-z][a-z_]{0,49}$/, 'The event must be an event name, such as workflow_dispatch.')
    .default('workflow_dispatch'),
  ref: line(1024).optional().describe('A branch, or the full name of a ref. Defaults to the default branch.'),
  sha: z
    .string()
    .regex(/^([0-9a-f]{40}|[0-9a-f]{64})?$/, 'The SHA must be a full commit ID.')
    .default(''),
  title: line(255).optional().describe('Defaults to the title or name in the workflow.'),
})
export type CreateRunOption = z.output<typeof CreateRunOption>

export const RunPath = RepoPath.extend({ run: id })
export type RunPath = z.output<typeof RunPath>

/** Number of an attempt. Numbers beyond the database's range are clamped, because no attempt has them. */
export const attemptNumber = id
  .transform(number => Math.min(number, 2 ** 31 - 1))
  .meta({ override: { type: 'integer', format: 'int64' } })

export const AttemptPath = RunPath.extend({ attempt: attemptNumber })
export type AttemptPath = z.output<typeof AttemptPath>
export const RunJobPath = RunPath.extend({ job_id: id })
export const JobPath = RepoPath.extend({ job_id: id })
export type JobPath = z.output<typeof JobPath>
export const TaskPath = RepoPath.extend({ task_id: id })
export type TaskPath = z.output<typeof TaskPath>

const statusName = queryText
  .optional()
  .describe('A status or a conclusion. `pending` matches `queued` and `waiting`.')

export const ListScopeRunsInput = z.object({
  ...githubPageInput,
  event: queryText.optional().describe('The event that started the runs.'),
  branch: queryText.optional().describe('The name of a branch or tag.'),
  status: statusName,
  actor: queryText.optional().describe('The username of the person who started the runs.'),
  head_sha: queryText.optional().describe('A full commit ID.'),
})
export type ListScopeRunsInput = z.output<typeof ListScopeRunsInput>
export const ListRunsInput = RepoPath.extend(ListScopeRunsInput.shape)
export type ListRunsInput = z.output<typeof ListRunsInput>

export const ListScopeJobsInput = z.object({ ...githubPageInput, status: statusName })
export type ListScopeJobsInput = z.output<typeof ListScopeJobsInput>
export const ListRepoJobsInput = RepoPath.extend(ListScopeJobsInput.shape)
export type ListRepoJobsInput = z.output<typeof ListRepoJobsInput>

export const ListTasksInput = RepoPath.extend(githubPageInput)
export type ListTasksInput = z.output<typeof ListTasksInput>
export const ListJobsInput = RunPath.extend(githubPageInput)
export type ListJobsInput = z.output<typeof ListJobsInput>
export const ListAttemptJobsInput = AttemptPath.extend(githubPageInput)
export type ListAttemptJobsInput = z.output<typeof ListAttemptJobsInput>
