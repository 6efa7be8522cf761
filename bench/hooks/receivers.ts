import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Question, Receipt } from './receiver'

/** Webhook receivers on the loopback interface, in a process of their own. */
export interface Receivers {
  ports: number[]
  /** Waits until this many requests have arrived since the last call, and returns all of them. */
  got(count: number): Promise<Receipt[]>
  stop(): Promise<void>
}

const maxWaitMs = 120_000

export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork('dist/bench-hook-receiver.js', [String(count)])
  const [ports] = (await once(child, 'message')) as [number[]]
  return {
    ports,
    async got(count) {
      const waiting = new AbortController()
      const reported = once(child, 'message') as Promise<[Receipt[]]>
      child.send(count satisfies Question)
      const late = delay(maxWaitMs, undefined, { signal: waiting.signal }).then(() => {
        throw new Error(`fewer than ${count} requests arrived within ${maxWaitMs / 1000} s`)
      })
      const [receipts] = await Promise.race([reported, late])
      waiting.abort()
      late.catch(() => undefined)
      return receipts
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill()
      await exited
    },
  }
}
