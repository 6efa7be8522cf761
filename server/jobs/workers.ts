import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from '@/server/kernel/jobs'
import { settlesWithin } from '@/server/kernel/settles-within'
import { jobContext, type Services } from '@/server/services'
import { workers as allWorkers } from './registry'

/** Handle to the background workers of this process, used to stop them. */
export interface RunningWorkers {
  /**
   * Aborts the workers' signal and waits up to 20 seconds for them. Call it before the database is closed.
   */
  stop(): Promise<void>
}

/**
 * Delay in milliseconds between a worker's failure and its restart. It doubles with each failure until the
 * worker has run for longer than the maximum.
 */
const pauses = { minMs: 1_000, maxMs: 60_000 }
const stopMs = 20_000

/** Starts the workers and restarts each one that fails. */
export function startWorkers(
  services: Services,
  workers: readonly Worker[] = allWorkers,
  { minMs, maxMs } = pauses,
): RunningWorkers {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = new Set<string>()
  const keepRunning = async (worker: Worker): Promise<void> => {
    const log = services.log.child({ worker: worker.name })
    running.add(worker.name)
    const linkedAt = await services.link?.aloneAt
    for (let pauseMs = minMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxMs)) {
      const begun = performance.now()
      // Only one process can open an embedded database.
      const aloneAt = services.database.kind === 'embedded' ? services.clock.now() : linkedAt
      try {
        await worker.run(jobContext(services, worker.name), { signal, aloneAt, metrics: services.metrics })
        break
      } catch (error) {
        log.error({ err: error }, 'a worker failed and is being restarted')
      }
      if (performance.now() - begun > maxMs) pauseMs = minMs
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
    running.delete(worker.name)
  }
  const all = Promise.all(workers.map(keepRunning))
  return {
    async stop() {
      stopping.abort()
      await settlesWithin(stopMs, all)
      for (const worker of running) services.log.warn({ worker }, 'a worker did not stop in time')
    },
  }
}
