import type { ColumnType, Generated } from 'kysely'
import type { Group } from './workflow-templates'

export type RunStatus = 'queued' | 'waiting' | 'in_progress' | 'completed'
export type RunConclusion = 'success' | 'failure' | 'cancelled' | 'skipped'

/** An execution of a workflow, which can have several attempts. */
export interface WorkflowRunsTable {
  id: Generated<number>
  repository_id: number
  /** Owner of the repository when the latest attempt started. Jobs run only on behalf of this owner. */
  owner_id: number
  /** Number of the run within the repository, starting at 1. */
  number: number
  title: string
  /** Path of the workflow file. */
  workflow_path: string
  workflow_name: string
  /** YAML of the workflow when the run was created. */
  document: string
  /** Value of `github` in expressions of the workflow, without what other columns have. */
  context: ColumnType<Record<string, string | boolean>, string | undefined, string>
  event: string
  /** Full name of the ref; can be empty. */
  ref: string
  sha: string
  actor_id: number | null
  /** Number of the latest attempt, which determines the status and conclusion of the run. */
  attempt: Generated<number>
  status: RunStatus
  conclusion: RunConclusion | null
  /** Number of finished and expired artifacts. */
  artifact_count: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  started_at: Date | null
  completed_at: Date | null
  /** Payload of the event that started the run, in the format of webhooks: `github.event`. */
  payload: ColumnType<Record<string, unknown>, string | undefined, string>
  /** Event that started the run; null if a person or a schedule started it. */
  trigger_event_id: number | null
  /** Value of `inputs` in expressions; null for runs older than this column. */
  inputs: ColumnType<Record<string, string | number | boolean> | null, string | undefined, string | null>
  /** Variables that the conditions of the run's jobs read; empty if none do. */
  vars: ColumnType<Record<string, string>, string | undefined, string>
  /** When the latest attempt was canceled. */
  cancelled_at: Date | null
  /** Error in the workflow. A run with an error has failed and has no jobs. */
  error: Generated<string>
  /** What the workflow requests but the run does not do, with line and column. */
  warnings: ColumnType<string[], string | undefined, never>
  /** Concurrency group of the run's latest attempt. */
  concurrency: ColumnType<Group | null, string | null | undefined, string | null>
  /** Whether the workflow has concurrency groups, for the run or for jobs. */
  uses_groups: Generated<boolean>
  /** Number of runs that led to this one by `workflow_run` events. */
  level: Generated<number>
}

/** An attempt of a workflow run; attempts are numbered from 1. */
export interface WorkflowRunAttemptsTable {
  run_id: number
  number: number
  actor_id: number | null
  status: RunStatus
  conclusion: RunConclusion | null
  created_at: Generated<Date>
  started_at: Date | null
  completed_at: Date | null
  /** Newest attempt up to this one that reran all jobs. Jobs of earlier attempts are not part of this one. */
  jobs_since: Generated<number>
}
