import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { id, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'
import { attemptNumber, RunPath } from '../schema'

const Person = z.object({ id: wireId, login: z.string() })

/** What became of a run, an attempt or a job, and when. */
const Progress = z.object({
  status: z.enum(['queued', 'waiting', 'in_progress', 'completed']),
  /** Null until it is completed. */
  conclusion: z.enum(['success', 'failure', 'cancelled', 'skipped']).nullable(),
  created_at: wireTimeSchema,
  started_at: wireTimeSchema.nullable(),
  completed_at: wireTimeSchema.nullable(),
})
export type Progress = z.output<typeof Progress>

/** A run of a workflow, as pages show it. */
export const ShownRun = Progress.extend({
  id: wireId,
  /** Counts the runs of the repository. */
  number: z.int(),
  title: z.string(),
  workflow_name: z.string(),
  workflow_path: z.string(),
  event: z.string(),
  /** The full name of a branch or tag; empty without one. */
  ref: z.string(),
  /** A commit; empty without one. */
  sha: z.string(),
  /** The number of the latest attempt. */
  attempt: z.int(),
  /** Null if the account was deleted. */
  actor: Person.nullable(),
  /** Finished and expired ones of all attempts. */
  artifact_count: z.int(),
  /** What is wrong with the workflow; empty if it is valid. */
  error: z.string(),
})
export type ShownRun = z.output<typeof ShownRun>

export const runStates = ['all', 'active', 'success', 'failure', 'cancelled', 'skipped'] as const
export type RunState = (typeof runStates)[number]

/** `active` runs are not completed yet. The others match exactly; `workflow` is the name of a file. */
export const BrowseRunsInput = RepoPath.extend({
  ...pageInput,
  state: z.enum(runStates).default('all'),
  branch: queryText.optional(),
  event: queryText.optional(),
  workflow: queryText.optional(),
})
export type BrowseRunsInput = z.output<typeof BrowseRunsInput>

export const BrowsedRuns = pageOf(ShownRun).extend({
  /** The branches of the newest runs, by name. */
  branches: z.array(z.string()),
  /** The events of the newest runs, by name. */
  events: z.array(z.string()),
  /** The files of the workflows of the newest runs, by name. */
  workflows: z.array(z.string()),
  may_write: z.boolean(),
})
export type BrowsedRuns = z.output<typeof BrowsedRuns>

export const ShownAttempt = Progress.extend({ number: z.int(), actor: Person.nullable() })
export type ShownAttempt = z.output<typeof ShownAttempt>

/** A job of a run, as pages show it. */
export const ShownJob = Progress.extend({
  id: wireId,
  /** The id of the job in the workflow, which all jobs of a matrix share. */
  key: z.string(),
  name: z.string(),
  /** The attempt that ran it. */
  attempt: z.int(),
  needs: z.array(z.string()),
  labels: z.array(z.string()),
  /** Why it ended, where that was not by a report of its runner. */
  end_reason: z
    .enum(['cancelled', 'runner_silent', 'runner_deleted', 'too_long', 'not_taken', 'secret_sealed'])
    .nullable(),
})
export type ShownJob = z.output<typeof ShownJob>

const stepProgress = {
  status: z.enum(['queued', 'in_progress', 'completed']),
  conclusion: z.enum(['success', 'failure', 'cancelled', 'skipped']).nullable(),
}

/** A step of a job, as its runner last reported it; times by the clock of the runner. */
const ShownStep = z.object({
  name: z.string(),
  ...stepProgress,
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  /** The rows of the log that belong to it. */
  log_index: z.int(),
  log_length: z.int(),
})
export type ShownStep = z.output<typeof ShownStep>

/** The execution of a job by a runner. */
const ShownTask = z.object({
  id: wireId,
  status: z.enum(['running', 'cancelling', 'ended']),
  /** Empty if it is done over the API. */
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
  /** The latest one that shows the job. */
  attempt: ShownAttempt,
  /** All of that attempt. */
  jobs: z.array(ShownJob),
  job: ShownJob,
  /** Null until it is started. */
  task: ShownTask.nullable(),
  /** The same job in a later attempt that ran it again. */
  newer_job: wireId.nullable(),
  may_write: z.boolean(),
})
export type JobPageAnswer = z.output<typeof JobPageAnswer>

/** Jobs of the latest attempt to run again: all of them, those that did not succeed, or one by its id. */
export const RerunInput = RunPath.extend({ jobs: z.union([z.enum(['all', 'failed']), id]) })
export type RerunInput = z.output<typeof RerunInput>

/** The number of the attempt that has begun. */
export const RerunAnswer = z.object({ attempt: z.int() })

/** The latest attempt without `attempt`. */
export const ShowRunInput = RepoPath.extend({ run: id, attempt: attemptNumber.optional() })
export type ShowRunInput = z.output<typeof ShowRunInput>

export const RunPageAnswer = z.object({
  run: ShownRun,
  /** The one whose jobs are shown. */
  attempt: ShownAttempt,
  /** Newest first. */
  attempts: z.array(ShownAttempt),
  jobs: z.array(ShownJob),
  may_write: z.boolean(),
})
export type RunPageAnswer = z.output<typeof RunPageAnswer>

/** Rows of the log of a job, from one on. */
export const LogRowsInput = RepoPath.extend({
  job_id: id,
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(5000).default(1000),
})
export type LogRowsInput = z.output<typeof LogRowsInput>

/** There can be fewer rows than wanted before the end, if they are long. */
export const LogRows = z.object({
  /** In ISO 8601, with seven digits after the second. A row is one line; in commands such as `::group::` some characters are encoded. */
  rows: z.array(z.object({ time: z.string(), content: z.string() })),
  /** The number of rows that can be read so far. */
  total: z.int(),
  /** No row will follow. */
  is_complete: z.boolean(),
})
export type LogRows = z.output<typeof LogRows>

export const WorkflowDocument = z.object({ document: z.string() })
