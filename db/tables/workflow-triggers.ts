/** A disabled workflow, which does not start until a user enables it. */
export interface DisabledWorkflowsTable {
  repository_id: number
  /** Name of the workflow file. */
  file: string
}

/** A schedule by which a workflow on the default branch starts. */
export interface WorkflowSchedulesTable {
  repository_id: number
  workflow_path: string
  /** Cron expression with five fields. */
  cron: string
  /** IANA name of the time zone. */
  timezone: string
  next_at: Date
  /** Who pushed the schedule; null if the account was deleted, or for older schedules. */
  actor_id: number | null
}
