import { createLimiter, type Limiter } from '@/server/kernel/concurrency-limit'
import type { Share } from './claim'

/** The deliveries that this process has claimed, in one queue per target host. */
export interface Lines {
  /** Returns how many more deliveries this process can claim. */
  room(): number
  /** Returns the limits per target for the next claim, which must follow immediately. */
  shares(): Share[]
  /** Maximum number of claimed deliveries for a target without a queue. */
  maxPerTarget: number
  /**
   * Queues a delivery and runs `deliver` when its turn comes. Whether the target responds determines how many
   * deliveries the queue can hold next.
   */
  enter(target: string, account: number | null, deliver: () => Promise<Answered>): Promise<void>
  /**
   * Returns whether an account can have one more claimed delivery. If not, nothing is claimed for the target
   * until it can.
   */
  admits(target: string, account: number | null): boolean
  /** Resolves when no delivery is queued or being sent. */
  empty(): Promise<void>
}

/** Whether the receiver of a webhook delivery responded before the timeout. */
export type Answered = boolean

interface LinesOptions {
  /** Maximum number of claimed deliveries over all targets. */
  max?: number
  /** Maximum number of concurrent requests to one target. */
  maxInFlight?: number
}

interface Line {
  held: number
  max: number
  limit: Limiter
  /** Whether the queue has been empty since before the last claim. */
  isUnused: boolean
}

const maxLines = 5_000

/**
 * Creates delivery queues that prevent one target from delaying the deliveries to others. If a target
 * responds, a few deliveries can wait behind those in flight. If it does not, it gets one request at a time
 * until it responds again. Because an account can have any number of targets, all of its targets that are not
 * known to respond share a quarter of the concurrency.
 */
export function createLines({ max = 512, maxInFlight = 8 }: LinesOptions = {}): Lines {
  const lines = new Map<string, Line>()
  const running = new Set<Promise<void>>()
  const unanswered = new Map<number, number>()
  const isFull = (account: number): boolean => (unanswered.get(account) ?? 0) >= max / 4
  // Targets that were not admitted, each with its account.
  const closed = new Map<string, number>()
  const count = (account: number, more: 1 | -1): void => {
    const left = (unanswered.get(account) ?? 0) + more
    if (left > 0) unanswered.set(account, left)
    else unanswered.delete(account)
  }
  const lineOf = (target: string) => {
    const known = lines.get(target)
    if (known) return known
    const limit = createLimiter({ concurrency: maxInFlight, maxQueue: Number.POSITIVE_INFINITY })
    const made = { held: 0, max: maxInFlight, limit, isUnused: false }
    lines.set(target, made)
    forgetIdle()
    return made
  }
  // Unresponsive targets are remembered, up to a limit, so that they also start with a single request next
  // time.
  const forgetIdle = (): void => {
    for (const [target, { held }] of lines) {
      if (lines.size <= maxLines) return
      if (held === 0) lines.delete(target)
    }
  }
  return {
    maxPerTarget: maxInFlight,
    room: () => max - running.size,
    shares() {
      for (const [target, line] of lines) {
        // A target with default limits needs a queue only while it holds deliveries.
        if (line.held > 0 || line.max < maxInFlight) continue
        if (line.isUnused) lines.delete(target)
        line.isUnused = true
      }
      for (const [target, account] of closed) if (!isFull(account)) closed.delete(target)
      const open = [...lines].filter(([target]) => !closed.has(target))
      return [
        ...open.map(([target, { held, max }]) => ({ target, held, max })),
        ...[...closed.keys()].map(target => ({ target, held: lines.get(target)?.held ?? 0, max: 0 })),
      ]
    },
    admits(target, account) {
      const isKnown = (lines.get(target)?.max ?? 0) > maxInFlight
      if (account === null || isKnown || !isFull(account)) return true
      closed.set(target, account)
      return false
    },
    enter(target, account, deliver) {
      const line = lineOf(target)
      const counted = line.max <= maxInFlight ? account : null
      if (counted !== null) count(counted, 1)
      line.held += 1
      line.isUnused = false
      const work = line.limit(deliver).then(answered => {
        line.max = answered ? Math.min(line.max * 2, 4 * maxInFlight) : 1
      })
      const done = work.finally(() => {
        running.delete(done)
        if (counted !== null) count(counted, -1)
        line.held -= 1
      })
      running.add(done)
      return done
    },
    async empty() {
      await Promise.allSettled(running)
    },
  }
}
