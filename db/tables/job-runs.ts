import type { Generated } from 'kysely'

/**
 * How a background job's run ended. `stopped`: its process ended, or another process took over, before the
 * run was complete.
 */
export type JobOutcome = 'done' | 'stopped' | 'failed'

/** A recent run of a background job. */
export interface JobRunsTable {
  id: Generated<number>
  job: string
  started_at: Date
  ended_at: Date
  outcome: JobOutcome
  /** What the run did or why it failed, in one line without secrets. */
  message: string
}
