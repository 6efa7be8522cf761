import type { ColumnType, Generated } from 'kysely'

export type RunStatus = 'queued' | 'waiting' | 'in_progress' | 'completed'
export type RunConclusion = 'success' | 'failure' | 'cancelled' | 'skipped'

/** A run of a workflow. */
export interface WorkflowRunsTable {
  id: Generated<number>
  repository_id: number
  /** The owner that the repository had when its latest attempt began; its jobs are run for nobody else. */
  owner_id: number
  /** Counts the runs of the repository, from 1. */
  number: number
  title: string
  /** The path of the workflow's file. */
  workflow_path: string
  workflow_name: string
  /** The workflow as it was when the run was created, as YAML. */
  document: string
  /** What expressions of the workflow read as `github`. */
  context: ColumnType<Record<string, string>, string | undefined, string>
  event: string
  /** The full name of a ref, or empty. */
  ref: string
  sha: string
  actor_id: number | null
  /** The number of the latest attempt, whose status and conclusion the run has. */
  attempt: Generated<number>
  status: RunStatus
  conclusion: RunConclusion | null
  /** Finished and expired ones. */
  artifact_count: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  started_at: Date | null
  completed_at: Date | null
  /** What happened, in the shape of webhooks: `github.event`. */
  payload: ColumnType<Record<string, unknown>, string | undefined, string>
  /** The event that started it; null for one that a person or a schedule started. */
  trigger_event_id: number | null
  /** What expressions read as `inputs`; null for runs that are older than the column. */
  inputs: ColumnType<Record<string, string | number | boolean> | null, string | undefined, string | null>
  /** The variables that conditions of its jobs read; empty if none does. */
  vars: ColumnType<Record<string, string>, string | undefined, never>
  /** When its latest attempt was canceled. */
  cancelled_at: Date | null
  /** What is wrong with the workflow; such a run has no jobs and has failed. */
  error: Generated<string>
}

/** One try to complete a run, from 1. */
export interface WorkflowRunAttemptsTable {
  run_id: number
  number: number
  actor_id: number | null
  status: RunStatus
  conclusion: RunConclusion | null
  created_at: Generated<Date>
  started_at: Date | null
  completed_at: Date | null
}
