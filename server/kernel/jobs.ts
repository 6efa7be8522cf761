import type { OpenDatabase } from '@/db/client'
import type { ServiceCtx } from './ctx'
import type { Metrics } from './metrics'

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

export interface WorkerOptions {
  /** Aborted when the process stops. */
  signal: AbortSignal
  /** When no other process was at work on this database: leases from before that are of one that was killed. */
  aloneAt: Date | undefined
  metrics: Metrics
}

/** Work that goes on all the time, in every process: each takes a part of it. */
export interface Worker {
  /** `<what>.<verb>`, for the log; no other worker and no job has it. */
  name: string
  /**
   * Works until soon after the signal is aborted, and bears that the database is away. When it fails it is begun anew; when
   * it ends it has nothing to do here.
   */
  run(ctx: ServiceCtx, options: WorkerOptions): Promise<void>
}

export const defineWorker = (worker: Worker): Worker => worker
