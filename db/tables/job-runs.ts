import type { Generated } from 'kysely'

/** `stopped`: the process ended, or another one took over, before the run was through. */
export type JobOutcome = 'done' | 'stopped' | 'failed'

/** One of the last runs of a background job. */
export interface JobRunsTable {
  id: Generated<number>
  job: string
  started_at: Date
  ended_at: Date
  outcome: JobOutcome
  /** What it did or why it failed, in a line without secrets. */
  message: string
}
