import type { ColumnType, Generated } from 'kysely'
import type { RunConclusion, RunStatus } from './workflow-runs'

/** A job of a run, one for each combination of its matrix. */
export interface WorkflowJobsTable {
  id: Generated<number>
  run_id: number
  repository_id: number
  /** The attempt that the job was created for. Later attempts show it too, unless they run it again. */
  attempt: number
  /** The id of the job in the workflow. */
  job_key: string
  /** Its combination of the matrix; null without one. */
  matrix: ColumnType<Record<string, unknown> | null, string | null, string | null>
  /** The place in the run, from 0, which is the same in each attempt. */
  position: number
  name: string
  /** The ids of the jobs that must complete before. */
  needs: ColumnType<string[], string, string>
  /** The labels that a runner must have. */
  labels: ColumnType<string[], string, string>
  /** The expression that decides whether the job runs; empty: it runs if all jobs that it needs succeeded. */
  condition: Generated<string>
  status: RunStatus
  conclusion: RunConclusion | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  started_at: Date | null
  completed_at: Date | null
  /** Since when a runner can take it. */
  queued_at: Date | null
  end_reason: EndReason | null
  /** Of its outputs, with their names. */
  output_bytes: Generated<number>
  /** Whether its failure counts as a success for the run and the jobs that need it. */
  continue_on_error: Generated<boolean>
}

/**
 * Why a job ended, where that was not by a report of its runner: somebody cancelled it, the runner was silent or was
 * deleted, it took too long, or no runner took it in time.
 */
export type EndReason =
  | 'cancelled'
  | 'runner_silent'
  | 'runner_deleted'
  | 'too_long'
  | 'not_taken'
  | 'secret_sealed'

/** A step of a job, as its runner last reported it. */
export interface StoredStep {
  name: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: RunConclusion | null
  /** By the clock of the runner, in ISO 8601. */
  started_at: string | null
  completed_at: string | null
  /** The rows of the log that belong to it. */
  log_index: number
  log_length: number
}

/** The execution of a job by a runner. */
export interface WorkflowTasksTable {
  id: Generated<number>
  job_id: number
  run_id: number
  repository_id: number
  /** The job's token is valid until the task has ended, or expired. */
  status: 'running' | 'cancelling' | 'ended'
  started_at: Generated<Date>
  ended_at: Date | null
  expires_at: Date
  /** Null if it is done over the API, and after the runner was deleted. */
  runner_id: number | null
  runner_name: Generated<string>
  /** Whether the runner can stop a job and still report how it ended. */
  can_cancel: Generated<boolean>
  /** Of the first report; until then the task is delivered again. */
  acknowledged_at: Date | null
  reported_at: Generated<Date>
  /** When it was asked to stop. */
  cancelled_at: Date | null
  steps: ColumnType<StoredStep[], string | undefined, string>
  /** Also those that are beyond the limit of its size. */
  log_rows: Generated<number>
  /** Without those. */
  log_bytes: Generated<number>
  /** The row that stands for all rows beyond the limit. */
  log_cut_at: number | null
  /** When the log was complete. */
  log_sealed_at: Date | null
  /** Where the log is in the storage, and where in it which rows are. */
  storage_key: string | null
  log_index: ColumnType<LogIndexEntry[] | null, string | null | undefined, string | null>
}

/**
 * A part of a log in the storage that can be read by itself: `byte` is its first byte, `row` its first row. The last entry
 * is the end of the log.
 */
export interface LogIndexEntry {
  row: number
  byte: number
}

/** Rows of a log that are not in the storage yet. */
export interface WorkflowLogChunksTable {
  task_id: number
  /** Counted from 0 over the whole task. */
  first_row: number
  row_count: number
  content: Buffer
}

/** What a job hands to the jobs that need it. */
export interface WorkflowJobOutputsTable {
  job_id: number
  name: string
  value: string
}
