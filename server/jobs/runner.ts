import { Cron } from 'croner'
import { withAdvisoryLock } from '@/db/advisory-lock'
import { isUnavailable } from '@/db/unavailable'
import type { Job } from '@/server/kernel/jobs'
import { jobContext, type Services } from '@/server/services'
import { jobs as allJobs } from './registry'

/** Background jobs that have been started. */
export interface JobRunner {
  /**
   * Starts no further run, aborts the signal of those under way and waits for them, 20 seconds at most. Call it before the
   * database is closed.
   */
  stop(): Promise<void>
}

const stopMs = 20_000

/** Starts the background jobs, each at its own times and never twice at once. A run that fails leaves the next to come. */
export function startJobs(
  services: Services,
  jobs: readonly Job[] = allJobs,
  options: { stopMs?: number } = {},
): JobRunner {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const start = (job: Job): void => {
    if (stopping.signal.aborted || running.has(job.name)) return
    running.set(
      job.name,
      runJob(services, job, stopping.signal).finally(() => running.delete(job.name)),
    )
  }
  const due = jobs.filter(({ database = services.database.kind }) => database === services.database.kind)
  const timers = due.map(job => new Cron(job.every, { unref: true, timezone: 'UTC' }, () => start(job)))
  for (const job of due) if (job.atStart) start(job)
  return {
    async stop() {
      for (const timer of timers) timer.stop()
      stopping.abort()
      await within(options.stopMs ?? stopMs, Promise.all(running.values()))
      for (const job of running.keys()) services.log.warn({ job }, 'a background job did not stop in time')
    },
  }
}

async function runJob(services: Services, job: Job, signal: AbortSignal): Promise<void> {
  const log = services.log.child({ job: job.name })
  try {
    const isDone = await withAdvisoryLock(services.database, job.name, async () => {
      const result = await job.run(jobContext(services, job.name), signal)
      log.debug({ result }, 'a background job is done')
    })
    if (!isDone) log.debug('another process runs this background job')
  } catch (error) {
    const isPassing = signal.aborted || isUnavailable(error)
    log[isPassing ? 'warn' : 'error']({ err: error }, 'a background job failed')
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}
