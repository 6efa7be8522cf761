import { isUnavailable } from '@/db/unavailable'
import type { ServiceCtx } from './ctx'

/** Rounds of work that follow each other until they are told to end. */
export interface WorkLoop {
  /** Has the next round begin now, or at once after the one under way. */
  wake(): void
  /**
   * Runs rounds until the signal is aborted. Each gives how many milliseconds may pass before the next one. While the
   * database is away, they are tried again and again.
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
