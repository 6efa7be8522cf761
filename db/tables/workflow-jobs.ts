import type { ColumnType, Generated } from 'kysely'
import type { EndReason } from './end-reasons'
import type { StoredPermissions } from './workflow-permissions'
import type { RunConclusion, RunStatus } from './workflow-runs'
import type { Call, Group, JobTemplate, Template } from './workflow-templates'

/** A job of a workflow run. A job with a matrix has one row per combination. */
export interface WorkflowJobsTable {
  id: Generated<number>
  run_id: number
  repository_id: number
  /** Attempt for which the job was created. Later attempts also show it, unless they run it again. */
  attempt: number
  /** ID of the job in the workflow file. */
  job_key: string
  /** The matrix combination of the job; null without a matrix. */
  matrix: ColumnType<Record<string, unknown> | null, string | null, string | null>
  /** Position in the run, starting at 0; the same in every attempt, with gaps for matrices. */
  position: number
  name: string
  /** IDs of the jobs that must complete first. */
  needs: ColumnType<string[], string, string>
  /** Labels that a runner must have. */
  labels: ColumnType<string[], string, string>
  /**
   * Expression that determines whether the job runs. If empty, the job runs if all jobs that it needs
   * succeeded.
   */
  condition: Generated<string>
  status: RunStatus
  conclusion: RunConclusion | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  started_at: Date | null
  completed_at: Date | null
  /** When the job became available to runners. */
  queued_at: Date | null
  end_reason: EndReason | null
  /** Total size in bytes of the job's outputs, including their names. */
  output_bytes: Generated<number>
  /** Whether a failure of the job counts as success for the run and for the jobs that need it. */
  continue_on_error: Generated<boolean>
  /**
   * What is evaluated once the job can start, with expressions that cannot be evaluated before; null if there
   * is nothing. Until then, `labels` has the expressions as written.
   */
  template: ColumnType<JobTemplate | null, string | null | undefined, string | null>
  /** Group that the job's runner must be in; null if any runner will do. */
  runner_group: string | null
  /** Whether a failure of the job cancels the other jobs of its matrix. */
  fail_fast: Generated<boolean>
  /** Maximum number of jobs of its matrix that run at the same time; null without a limit. */
  max_parallel: number | null
  /** Concurrency group of the job, once it can start. */
  concurrency: ColumnType<Group | null, string | null | undefined, string | null>
  /** Why a waiting job whose needs have completed waits on. */
  hold: 'max_parallel' | 'concurrency' | 'call' | null
  /** Details about the end reason, such as an expression that failed; empty if there are none. */
  end_message: Generated<string>
  /** Position of the job that calls the reusable workflow to which this job belongs; null for the run's own. */
  parent_position: number | null
  /** Call of a reusable workflow; null if the job has steps. */
  call: ColumnType<Call | null, string | null | undefined, string | null>
  /** Reusable workflow that the job has called: its status is then that of the jobs of this workflow. */
  called_id: number | null
  /** Reusable workflow to which the job belongs; null for the run's own workflow. */
  workflow_id: number | null
  /** What the workflow requests for the job's token; null if it requests nothing. */
  permissions: ColumnType<StoredPermissions | null, string | null | undefined, string | null>
}

/** Reusable workflow as it was called by a run. */
export interface CalledWorkflowsTable {
  id: Generated<number>
  run_id: number
  repository_id: number
  /** Repository that has the workflow, and its full name when it was called. */
  source_repository_id: number
  source: string
  path: string
  ref: string
  sha: string
  document: string
  /** Outputs of the workflow by name. */
  outputs: ColumnType<Record<string, Template>, string, never>
  /** Concurrency group of the workflow. */
  concurrency: ColumnType<Group | null, string | null, never>
}

/** Run or job that holds a concurrency group, or waits for it. */
export interface ConcurrencyMembersTable {
  id: Generated<number>
  repository_id: number
  run_id: number
  /** Null if the whole run is the member. */
  job_id: number | null
  /** Name of the group in lower case. */
  key: string
  name: string
  is_holder: boolean
  /** Whether a waiting member stays when another one begins to wait. */
  queues: boolean
  created_at: Generated<Date>
}

/** A step of a job, as last reported by its runner. */
export interface StoredStep {
  name: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: RunConclusion | null
  /** By the runner's clock, in ISO 8601. */
  started_at: string | null
  completed_at: string | null
  /** First row of the step's part of the log, and its number of rows. */
  log_index: number
  log_length: number
}

/** The execution of a job by a runner. */
export interface WorkflowTasksTable {
  id: Generated<number>
  job_id: number
  run_id: number
  repository_id: number
  /** The job's token is valid until the task ends or expires. */
  status: 'running' | 'cancelling' | 'ended'
  started_at: Generated<Date>
  ended_at: Date | null
  expires_at: Date
  /** Null if the task is executed through the API, or after its runner was deleted. */
  runner_id: number | null
  runner_name: Generated<string>
  /** Whether the runner can stop a job and still report its result. */
  can_cancel: Generated<boolean>
  /** When the runner sent its first report; until then, the task is delivered again. */
  acknowledged_at: Date | null
  reported_at: Generated<Date>
  /** When the runner was asked to stop the job. */
  cancelled_at: Date | null
  steps: ColumnType<StoredStep[], string | undefined, string>
  /** Number of rows of the log, including those beyond its size limit. */
  log_rows: Generated<number>
  /** Size of the log in bytes, without the rows beyond its size limit. */
  log_bytes: Generated<number>
  /** Number of the row that replaces all rows beyond the size limit. */
  log_cut_at: number | null
  /** When the log was completed. */
  log_sealed_at: Date | null
  /** Key of the log in the object storage; `log_index` lists the parts of the log. */
  storage_key: string | null
  log_index: ColumnType<LogIndexEntry[] | null, string | null | undefined, string | null>
}

/**
 * A part of a stored log that can be read independently: `byte` is the offset of its first byte, `row` the
 * number of its first row. The last entry marks the end of the log.
 */
export interface LogIndexEntry {
  row: number
  byte: number
}

/** Rows of a log that are not in the object storage yet. */
export interface WorkflowLogChunksTable {
  task_id: number
  /** Counted from 0 across the whole task. */
  first_row: number
  row_count: number
  content: Buffer
}

/** An output of a job, available to the jobs that need it. */
export interface WorkflowJobOutputsTable {
  job_id: number
  name: string
  value: string
}
