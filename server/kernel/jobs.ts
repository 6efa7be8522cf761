import type { OpenDatabase } from '@/db/client'
import type { ServiceCtx } from './ctx'
import type { Metrics } from './metrics'

/**
 * Recurring background work that one process of a site runs at a time. If a run loses its database connection,
 * another process can start one while the first is still stopping, so a job must tolerate a short overlap.
 */
export interface Job {
  /** Unique name of a thing and an action, such as `sessions.sweep`, for the log and the lock. */
  name: string
  /** Whether the job also runs when the process starts. */
  atStart?: boolean
  /** Whether a run can take hours, so that other processes do not report that it has not finished. */
  canTakeHours?: boolean
  /** The only kind of database that needs the job; both if absent. */
  database?: OpenDatabase['kind']
  /**
   * Performs one run. It must stop soon after the signal is aborted, which happens when the process stops or
   * the run loses its lock; the next run, perhaps in another process, does the remaining work. The result is
   * logged, and an error is logged as a failure.
   */
  run(ctx: ServiceCtx, signal: AbortSignal): Promise<unknown>
}

export interface ScheduledJob {
  /** Cron pattern in UTC. A run that is due while the previous one is still active is skipped. */
  every: string
  job: Job
}

export const defineJob = (job: Job): Job => job

export interface WorkerOptions {
  /** Aborted when the process stops. */
  signal: AbortSignal
  /**
   * Time at which no other process was working on this database: earlier leases belong to processes that were
   * killed.
   */
  aloneAt: Date | undefined
  metrics: Metrics
}

/** Work that runs continuously in every process; each process does part of it. */
export interface Worker {
  /**
   * Unique name of a thing and an action, such as `webhooks.send`, for the log. It differs from the names of
   * all jobs, too.
   */
  name: string
  /**
   * Works until soon after the signal is aborted, and tolerates an unavailable database. If it throws, it is
   * restarted; if it returns, it is not.
   */
  run(ctx: ServiceCtx, options: WorkerOptions): Promise<void>
}

export const defineWorker = (worker: Worker): Worker => worker
