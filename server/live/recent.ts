import { randomBytes } from 'node:crypto'
import { longestDeafMs } from '@/db/server/channel'
import type { Signal } from '@/server/events'

/** A signal with its place among all that this process was told. */
export interface Entry {
  place: string
  signal: Signal
}

/** The last signals, from which a stream that was interrupted goes on. */
export interface Recent {
  add(signal: Signal): Entry
  /** The place after all that was told so far. */
  place(): string
  /** What was told after a place; undefined where some of it is forgotten, or the text is no place. */
  after(place: string): Entry[] | undefined
}

/** When a signal was told: of those in one millisecond, the first has the number 1. */
interface Moment {
  at: number
  number: number
}

// The process that gave a place may have been deaf when it did. The clocks of two may differ, and a signal takes a while.
const skewMs = longestDeafMs + 5_000

/**
 * Remembers the last `max` signals. A place is `<process>.<milliseconds>.<number>`, which tells nobody how much happens. In
 * another process than the one that gave it the time counts, and what was told before it is told again rather than left out.
 */
export function rememberRecent(now: () => Date, max = 5_000): Recent {
  const process = randomBytes(4).toString('hex')
  const ring: { entry: Entry; moment: Moment }[] = []
  let count = 0
  let last: Moment = { at: now().getTime(), number: 0 }
  // Everything told after this is remembered.
  let forgotten = last

  /** The moment of what was told last, or this one; while the clock is set back time stands still. */
  function present(): Moment {
    const at = now().getTime()
    return at > last.at ? { at, number: 0 } : last
  }
  const placeOf = ({ at, number }: Moment): string => `${process}.${at}.${number}`

  return {
    add(signal) {
      const { at, number } = present()
      last = { at, number: number + 1 }
      const replaced = ring[count % max]
      if (replaced) forgotten = replaced.moment
      const entry = { place: placeOf(last), signal }
      ring[count % max] = { entry, moment: last }
      count++
      return entry
    },
    place: () => placeOf(present()),
    after(place) {
      const [, where, at, number] = /^([0-9a-f]{8})\.(\d{1,15})\.(\d{1,15})$/.exec(place) ?? []
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
