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
}
