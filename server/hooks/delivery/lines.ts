import { createLimiter, type Limiter } from '@/server/kernel/concurrency-limit'
import type { Share } from './claim'

/** The deliveries that this process has at hand, in a line for each target. */
export interface Lines {
  /** How many more can be taken. */
  room(): number
  /** For the next claim, which this is about to be. */
  shares(): Share[]
  /** How many of a target that has no line yet. */
  maxPerTarget: number
  /** Runs what sends a delivery when its turn comes, and minds how it went. */
  enter(target: string, account: number | null, deliver: () => Promise<Answered>): Promise<void>
  /** Whether an account may have one more; where not, nothing is claimed for the target until it may. */
  admits(target: string, account: number | null): boolean
  /** Waits until no line has anybody in it. */
  empty(): Promise<void>
}

/** Whether the target answered at all, in time. */
export type Answered = boolean

interface LinesOptions {
  /** At hand, over all targets. */
  max?: number
  /** On the way to one target at once. */
  maxInFlight?: number
}

interface Line {
  held: number
  max: number
  limit: Limiter
  /** Nobody was in it when a claim was made, nor since. */
  isUnused: boolean
}

const maxLines = 5_000

/**
 * Keeps targets from taking each other's places. A target that answers may have a few deliveries waiting behind those on
 * the way; one that does not is asked with one at a time until it answers again. An account may name any number of targets: all
 * of its own that are not known to answer have a quarter of the places together.
 */
export function createLines({ max = 512, maxInFlight = 8 }: LinesOptions = {}): Lines {
  const lines = new Map<string, Line>()
  const running = new Set<Promise<void>>()
  const unanswered = new Map<number, number>()
  const isFull = (account: number): boolean => (unanswered.get(account) ?? 0) >= max / 4
  // What was not admitted, with the account.
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
  // Those that did not answer are remembered, so that they begin with one the next time too; but not all of them for ever.
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
        // A target that is like any other needs no line, but one that is sent much is soon sent more.
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
