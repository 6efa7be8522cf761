import { createFairLimit, type FairLimit } from '../fair-limit'
import type { FromProcess, FromSupervisor } from './messages'

type Acquire = Extract<FromProcess, { type: 'acquire' }>

/** The slots that one process holds or waits for. */
export interface SlotHolder {
  /** Asks for slots. The process is sent `granted` or `refused`. */
  acquire(request: Acquire): void
  /** Returns the slots with this ID, or withdraws the request for them. */
  release(id: number): void
  /** Returns all slots and withdraws all requests, because the process has ended. */
  releaseAll(): void
}

/** Creates the limits that all processes share; the returned function adds a process. */
export function createSharedLimits(): (send: (message: FromSupervisor) => void) => SlotHolder {
  const limits = new Map<string, FairLimit>()

  function limitOf({ name, limits: asked }: Acquire): FairLimit {
    // A process that is started after its files were replaced can ask for other limits.
    const key = JSON.stringify([name, asked])
    const known = limits.get(key) ?? createFairLimit(asked, () => new Error('refused'))
    limits.set(key, known)
    return known
  }

  return send => {
    const held = new Map<number, AbortController>()
    return {
      acquire(request) {
        const { id } = request
        const ending = new AbortController()
        const { signal } = ending
        held.set(id, ending)
        const work = async (slots: number): Promise<void> => {
          if (signal.aborted) return
          send({ type: 'granted', id, slots })
          await new Promise(resolve => signal.addEventListener('abort', resolve))
        }
        limitOf(request)({ ...request.client, disconnected: () => signal }, work).catch(() => {
          if (held.delete(id)) send({ type: 'refused', id })
        })
      },
      release(id) {
        held.get(id)?.abort()
        held.delete(id)
      },
      releaseAll() {
        for (const ending of held.values()) ending.abort()
        held.clear()
      },
    }
  }
}
