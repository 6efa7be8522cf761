import { Cron } from 'croner'
import { type LockHolder, withAdvisoryLock } from '@/db/advisory-lock'
import { isUnavailable } from '@/db/unavailable'
import { describeFailure } from '@/server/kernel/describe-failure'
import type { Job, ScheduledJob } from '@/server/kernel/jobs'
import type { Logger } from '@/server/kernel/log'
import { settlesWithin } from '@/server/kernel/settles-within'
import { jobContext, type Services } from '@/server/services'
import { describeResult, type JobRun, recordRun } from './record-run'
import { schedule as allJobs } from './registry'

/** The started background jobs. */
export interface JobRunner {
  /**
   * Starts no further runs, aborts the signals of active runs and waits up to 20 seconds for them. It then
   * takes the locks away from runs that continue, so that the database can be closed. Call it before closing
   * the database.
   */
  stop(): Promise<void>
}

const stopMs = 20_000
const warnAfter = 10

/** Settings that tests override. */
interface RunnerOptions {
  stopMs?: number
  /**
   * Number of times in a row that the same run in another process must keep a job from running here before a
   * warning is logged.
   */
  warnAfter?: number
}

/**
 * Starts the background jobs, each on its own schedule and never twice concurrently. A failed run does not
 * prevent later ones.
 */
export function startJobs(
  services: Services,
  schedule: readonly ScheduledJob[] = allJobs,
  options: RunnerOptions = {},
): JobRunner {
  const stopping = new AbortController()
  const abandoned = new AbortController()
  const running = new Map<string, Promise<void>>()
  const warnings = new Map(
    schedule.map(({ job }) => [job.name, stuckWarning(options.warnAfter ?? warnAfter)]),
  )
  const start = (job: Job): void => {
    if (stopping.signal.aborted || running.has(job.name)) return
    const run = runJob(services, job, {
      stopping: stopping.signal,
      abandoned: abandoned.signal,
      warnIfStuck: warnings.get(job.name)!,
    })
    running.set(
      job.name,
      run.finally(() => running.delete(job.name)),
    )
  }
  const { kind } = services.database
  const due = schedule.filter(({ job }) => (job.database ?? kind) === kind)
  const timers = due.map(
    ({ every, job }) => new Cron(every, { unref: true, timezone: 'UTC' }, () => start(job)),
  )
  for (const { job } of due) if (job.atStart) start(job)
  return {
    async stop() {
      for (const timer of timers) timer.stop()
      stopping.abort()
      await settlesWithin(options.stopMs ?? stopMs, Promise.all(running.values()))
      for (const job of running.keys()) services.log.warn({ job }, 'a background job did not stop in time')
      abandoned.abort()
    },
  }
}

interface RunOptions {
  stopping: AbortSignal
  abandoned: AbortSignal
  warnIfStuck(log: Logger, holder: LockHolder | undefined): void
}

async function runJob(services: Services, job: Job, options: RunOptions): Promise<void> {
  const { stopping, abandoned, warnIfStuck } = options
  const log = services.log.child({ job: job.name })
  let ending = stopping
  const record = async (startedAt: Date, how: Pick<JobRun, 'outcome' | 'message'>): Promise<void> => {
    const run = { job: job.name, started_at: startedAt, ended_at: services.clock.now(), ...how }
    try {
      await recordRun(services.db, run)
    } catch (error) {
      log[isUnavailable(error) ? 'debug' : 'warn']({ err: error }, 'cannot record a run of a background job')
    }
  }
  const startedAt = services.clock.now()
  try {
    const run = await withAdvisoryLock(services.database, job.name, abandoned, async lost => {
      ending = AbortSignal.any([stopping, lost])
      lost.addEventListener('abort', () => {
        if (!abandoned.aborted) log.warn('a background job lost its lock and was told to stop')
      })
      const result = await job.run(jobContext(services, job.name), ending)
      log.debug({ result }, 'a background job is done')
      await record(startedAt, { outcome: 'done', message: describeResult(result) })
    })
    if (!run.isDone) log.debug('another process runs this background job')
    if (!job.canTakeHours) warnIfStuck(log, run.isDone ? undefined : run.holder)
  } catch (error) {
    const isPassing = ending.aborted || isUnavailable(error)
    // Logged without the stack, which would be the same for every job.
    if (isPassing) log.warn({ reason: String(error) }, 'a background job failed')
    else log.error({ err: error }, 'a background job failed')
    await record(startedAt, {
      outcome: ending.aborted ? 'stopped' : 'failed',
      message: describeFailure(error),
    })
  }
}

// If several processes start a job on schedule, all but one are normally refused. Repeated refusals because of
// the same run are not normal.
function stuckWarning(warnAfter: number): RunOptions['warnIfStuck'] {
  let last: LockHolder | undefined
  let refusals = 0
  return (log, holder) => {
    const isSame = holder !== undefined && holder.pid === last?.pid && holder.since === last.since
    refusals = isSame ? refusals + 1 : 1
    last = holder
    if (holder && refusals % warnAfter === 0) {
      log.warn({ refusals, holder }, 'another process has not finished its run of this background job')
    }
  }
}
