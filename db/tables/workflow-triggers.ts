/** A workflow that nothing starts until somebody enables it. */
export interface DisabledWorkflowsTable {
  repository_id: number
  /** The name of its file. */
  file: string
}

/** When a workflow of the default branch starts by the clock. */
export interface WorkflowSchedulesTable {
  repository_id: number
  workflow_path: string
  /** A cron pattern of five fields. */
  cron: string
  /** An IANA name. */
  timezone: string
  next_at: Date
}
