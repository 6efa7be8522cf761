import { isUnavailable } from '@/db/unavailable'
import type { ServiceCtx } from './ctx'

/**
 * Loop that repeats a round of background work, such as sending queued webhooks, until a signal is aborted.
 */
export interface WorkLoop {
  /** Starts the next round immediately, or directly after the current one. */
  wake(): void
  /**
   * Runs rounds until the signal is aborted. Each round returns the delay before the next one in milliseconds.
   * While the database is unavailable, rounds are retried every second.
   */
  run(round: () => Promise<number>, signal: AbortSignal): Promise<void>
}

const awayMs = 1_000

export function createWorkLoop({ log }: Pick<ServiceCtx, 'log'>): WorkLoop {
  let isWoken = false
  let endWait: (() => void) | undefined

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      endWait = end
      if (isWoken || signal.aborted) end()
      function end(): void {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        endWait = undefined
        resolve()
      }
    })
  }

  async function roundOrAway(round: () => Promise<number>): Promise<number> {
    try {
      return await round()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      log.warn({ reason: String(error) }, 'the database cannot be used; trying again')
      return awayMs
    }
  }

  return {
    wake() {
      isWoken = true
      endWait?.()
    },
    async run(round, signal) {
      while (!signal.aborted) {
        isWoken = false
        const ms = await roundOrAway(round)
        if (ms > 0) await wait(ms, signal)
      }
    },
  }
}
