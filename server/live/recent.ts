import { randomBytes } from 'node:crypto'
import { longestDeafMs } from '@/db/server/channel'
import type { Signal } from '@/server/events'

/** A signal with its position in the stream of this process. */
export interface Entry {
  cursor: string
  signal: Signal
}

/** Recent signals, from which interrupted streams resume. */
export interface Recent {
  add(signal: Signal): Entry
  /** Returns the current end position. */
  cursor(): string
  /**
   * Returns the signals after a position; undefined if some are no longer remembered or the position is
   * invalid.
   */
  after(cursor: string): Entry[] | undefined
}

/** Time of a signal in milliseconds; signals in the same millisecond are numbered from 1. */
interface Moment {
  at: number
  number: number
}

// Covers signals that the other process had not received yet, clock differences, and delivery delays.
const skewMs = longestDeafMs + 5_000

/**
 * Remembers the last `max` signals. A position is `<process>.<milliseconds>.<number>`, which does not reveal
 * the number of signals. In another process only its time counts, so earlier signals may be repeated but are
 * not lost.
 */
export function rememberRecent(now: () => Date, max = 5_000): Recent {
  const process = randomBytes(4).toString('hex')
  const ring: { entry: Entry; moment: Moment }[] = []
  let count = 0
  let last: Moment = { at: now().getTime(), number: 0 }
  // All signals after this are remembered.
  let forgotten = last

  /**
   * Returns the later of the last signal's time and the current time, so that time does not run backward if
   * the clock is set back.
   */
  function present(): Moment {
    const at = now().getTime()
    return at > last.at ? { at, number: 0 } : last
  }
  const cursorOf = ({ at, number }: Moment): string => `${process}.${at}.${number}`

  return {
    add(signal) {
      const { at, number } = present()
      last = { at, number: number + 1 }
      const replaced = ring[count % max]
      if (replaced) forgotten = replaced.moment
      const entry = { cursor: cursorOf(last), signal }
      ring[count % max] = { entry, moment: last }
      count++
      return entry
    },
    cursor: () => cursorOf(present()),
    after(cursor) {
      const [, where, at, number] = /^([0-9a-f]{8})\.(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
      if (where === undefined) return undefined
      const isOwn = where === process
      const from = isOwn
        ? { at: Number(at), number: Number(number) }
        : { at: Number(at) - skewMs, number: -1 }
      if (isAfter(forgotten, from) || (isOwn && isAfter(from, present()))) return undefined
      const oldest = Math.max(0, count - max)
      const entries: Entry[] = []
      for (let index = count - 1; index >= oldest; index--) {
        const { entry, moment } = ring[index % max]!
        if (!isAfter(moment, from)) break
        entries.push(entry)
      }
      return entries.reverse()
    },
  }
}

const isAfter = (one: Moment, other: Moment): boolean =>
  one.at > other.at || (one.at === other.at && one.number > other.number)
