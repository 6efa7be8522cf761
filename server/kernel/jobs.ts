import type { OpenDatabase } from '@/db/client'
import type { ServiceCtx } from './ctx'

/**
 * Work that is done again and again in the background, by one process of a site at a time. Where the database goes away
 * under a run, another process may begin one while the first is ending: each bears the other beside it for that long.
 */
export interface Job {
  /** `<what>.<verb>`, for the log and the lock; no two jobs share one. */
  name: string
  /** Whether it also runs when the process starts. */
  atStart?: boolean
  /** The kind of database that needs it, where the other does not. */
  database?: OpenDatabase['kind']
  /**
   * One run. Ends soon after the signal is aborted, as it is when the process stops and when the run's lock is lost; what
   * is left over is for the next run, perhaps in another process.
   * What it gives is logged; what it throws is logged as a failure.
   */
  run(ctx: ServiceCtx, signal: AbortSignal): Promise<unknown>
}

export interface ScheduledJob {
  /** A cron pattern in UTC. A run that is due while the last one goes on is left out. */
  every: string
  job: Job
}

export const defineJob = (job: Job): Job => job
