import { z } from 'zod'
import { endReasons } from '@/db/tables/end-reasons'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'
import { TokenScope } from '../permissions/schema'
import { attemptNumber, RunPath } from '../schema'

const Person = z.object({ id: wireId, login: z.string() })

/** Status and times of a run, an attempt or a job. */
const Progress = z.object({
  status: z.enum(['queued', 'waiting', 'in_progress', 'completed']),
  /** Null until it is completed. */
  conclusion: z.enum(['success', 'failure', 'cancelled', 'skipped']).nullable(),
  created_at: wireTimeSchema,
  started_at: wireTimeSchema.nullable(),
  completed_at: wireTimeSchema.nullable(),
})
export type Progress = z.output<typeof Progress>

/** Workflow run as pages show it. */
export const ShownRun = Progress.extend({
  id: wireId,
  /** Number of the run within its repository. */
  number: z.int(),
  title: z.string(),
  workflow_name: z.string(),
  workflow_path: z.string(),
  event: z.string(),
  /** Full name of a branch or tag; empty if there is none. */
  ref: z.string(),
  /** Commit ID; empty if there is none. */
  sha: z.string(),
  /** Number of the latest attempt. */
  attempt: z.int(),
  /** Null if the account was deleted. */
  actor: Person.nullable(),
  /** Number of finished and expired artifacts of all attempts. */
  artifact_count: z.int(),
  /** What is wrong with the workflow; empty if it is valid. */
  error: z.string(),
  /** What the run does not do although its workflow asks for it. */
  warnings: z.array(z.string()),
})
export type ShownRun = z.output<typeof ShownRun>

export const runStates = ['all', 'active', 'success', 'failure', 'cancelled', 'skipped'] as const
export type RunState = (typeof runStates)[number]

/**
 * Filters for the list of runs. `active` matches runs that have not completed; any other state is an exact
 * match. `workflow` is a file name.
 */
export const BrowseRunsInput = RepoPath.extend({
  ...pageInput,
  state: z.enum(runStates).default('all'),
  branch: queryText.optional(),
  event: queryText.optional(),
  workflow: queryText.optional(),
})
export type BrowseRunsInput = z.output<typeof BrowseRunsInput>

export const BrowsedRuns = pageOf(ShownRun).extend({
  /** Branches of the newest runs, sorted by name. */
  branches: z.array(z.string()),
  /** Events of the newest runs, sorted by name. */
  events: z.array(z.string()),
  /** Workflow files of the newest runs, sorted by name. */
  workflows: z.array(z.string()),
  may_write: z.boolean(),
})
export type BrowsedRuns = z.output<typeof BrowsedRuns>

export const ShownAttempt = Progress.extend({ number: z.int(), actor: Person.nullable() })
export type ShownAttempt = z.output<typeof ShownAttempt>

/** Job of a run as pages show it. */
export const ShownJob = Progress.extend({
  id: wireId,
  /** Job ID in the workflow, which all jobs of a matrix share. */
  key: z.string(),
  name: z.string(),
  /** Number of the attempt that ran the job. */
  attempt: z.int(),
  needs: z.array(z.string()),
  labels: z.array(z.string()),
  /** Why the job ended, if no report of its runner ended it. */
  end_reason: z.enum(endReasons).nullable(),
  /** That reason in one sentence. */
  end_text: z.string().nullable(),
  /** Whether the labels contain expressions that are evaluated once the jobs that it needs have completed. */
  has_unknown_labels: z.boolean(),
  /** Group that the job's runner must be in. */
  runner_group: z.string().nullable(),
  /** Name of the job's concurrency group. */
  concurrency: z.string().nullable(),
  hold: z.enum(['max_parallel', 'concurrency', 'call']).nullable(),
  /** Reusable workflow to which the job belongs; null for the run's own workflow. */
  workflow: wireId.nullable(),
  /** Number of calls of reusable workflows that lead to the job. */
  depth: z.int(),
  /** Text of `uses`, if the job calls a reusable workflow. */
  uses: z.string().nullable(),
  /** Reusable workflow that the job has called: `workflow` of its jobs. Null until it has been opened. */
  called: wireId.nullable(),
})
export type ShownJob = z.output<typeof ShownJob>

const stepProgress = {
  status: z.enum(['queued', 'in_progress', 'completed']),
  conclusion: z.enum(['success', 'failure', 'cancelled', 'skipped']).nullable(),
}

/** Step of a job as its runner last reported it. Times are by the runner's clock. */
const ShownStep = z.object({
  name: z.string(),
  ...stepProgress,
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  /** Index of the step's first row in the log; `log_length` is its number of rows. */
  log_index: z.int(),
  log_length: z.int(),
})
export type ShownStep = z.output<typeof ShownStep>

/** Execution of a job by a runner. */
const ShownTask = z.object({
  id: wireId,
  status: z.enum(['running', 'cancelling', 'ended']),
  /** Empty if the job runs over the API. */
  runner_name: z.string(),
  started_at: wireTimeSchema,
  ended_at: wireTimeSchema.nullable(),
  steps: z.array(ShownStep),
  log_rows: z.int(),
})
export type ShownTask = z.output<typeof ShownTask>

export const ShowJobInput = RunPath.extend({ job: id })
export type ShowJobInput = z.output<typeof ShowJobInput>

export const JobPageAnswer = z.object({
  run: ShownRun,
  /** Latest attempt that includes the job. */
  attempt: ShownAttempt,
  /** All jobs of that attempt. */
  jobs: z.array(ShownJob),
  job: ShownJob,
  /** Null until the job has started. */
  task: ShownTask.nullable(),
  /** Id of the same job in a later attempt that reran it; null if there is none. */
  newer_job: wireId.nullable(),
  /** What the token of the job can do; null if it calls a workflow and so has no token. */
  token: z.array(TokenScope).nullable(),
  may_write: z.boolean(),
})
export type JobPageAnswer = z.output<typeof JobPageAnswer>

/** Jobs of the latest attempt to rerun: all, those that did not succeed, or one by its ID. */
export const RerunInput = RunPath.extend({ jobs: z.union([z.enum(['all', 'failed']), id]) })
export type RerunInput = z.output<typeof RerunInput>

/** Number of the attempt that was started. */
export const RerunAnswer = z.object({ attempt: z.int() })

/** Selects a run and one of its attempts, by default the latest. */
export const ShowRunInput = RepoPath.extend({ run: id, attempt: attemptNumber.optional() })
export type ShowRunInput = z.output<typeof ShowRunInput>

const GroupMember = z.object({
  run: z.object({ id: wireId, number: z.int() }),
  /** Null if the whole run is the member. */
  job: z.object({ id: wireId, name: z.string() }).nullable(),
})
export type GroupMember = z.output<typeof GroupMember>

/** Concurrency group with everything that has it or waits for it. */
const ShownGroup = z.object({
  name: z.string(),
  holder: GroupMember.nullable(),
  waiting: z.array(GroupMember),
})
export type ShownGroup = z.output<typeof ShownGroup>

/** How a run lost its place in its concurrency group. */
const LostGroup = z.object({
  group: z.string(),
  /** Replaced while it waited, superseded while it had the group, or not admitted to a full group. */
  how: z.enum(['replaced', 'superseded', 'full']),
  /** Run that took the place; null if the group was full. Its ID is null if it was deleted. */
  by: z.object({ id: wireId.nullable(), number: z.int() }).nullable(),
})
export type LostGroup = z.output<typeof LostGroup>

export const RunPageAnswer = z.object({
  run: ShownRun,
  /** Run whose progress started this one; null if none did or it was deleted. */
  followed: ShownRun.pick({ id: true, number: true, workflow_name: true }).nullable(),
  /** Attempt whose jobs are shown. */
  attempt: ShownAttempt,
  /** Newest first. */
  attempts: z.array(ShownAttempt),
  jobs: z.array(ShownJob),
  /** Concurrency groups that the run or its jobs have or wait for. */
  groups: z.array(ShownGroup),
  /** Null if the attempt did not end because of the run's concurrency group. */
  lost_group: LostGroup.nullable(),
  may_write: z.boolean(),
})
export type RunPageAnswer = z.output<typeof RunPageAnswer>

/** Selects rows of a job's log, starting at row `from`. */
export const LogRowsInput = RepoPath.extend({
  job_id: id,
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(5000).default(1000),
})
export type LogRowsInput = z.output<typeof LogRowsInput>

/** Rows of a log. If they are long, there can be fewer than requested before the end of the log. */
export const LogRows = z.object({
  /**
   * `time` is in ISO 8601 with seven fractional digits. Each row is one line; in commands such as
   * `::group::`, some characters are encoded.
   */
  rows: z.array(z.object({ time: z.string(), content: z.string() })),
  /** Number of rows that can be read so far. */
  total: z.int(),
  /** Whether no more rows will be added. */
  is_complete: z.boolean(),
})
export type LogRows = z.output<typeof LogRows>

export const WorkflowDocument = z.object({ document: z.string() })
