import { randomBytes } from 'node:crypto'
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

// The clocks of two processes may differ by so much, and a signal take so long from one to the other.
const skewMs = 5_000

/**
 * Remembers the last `max` signals. A place is `<process>.<number>.<milliseconds>`: in another process than the one that
 * gave it the time counts, and what was told around then is told again rather than left out.
 */
export function rememberRecent(now: () => Date, max = 5_000): Recent {
  const process = randomBytes(4).toString('hex')
  const ring: { entry: Entry; at: number }[] = []
  let next = 0
  // Everything told after this moment is remembered.
  let completeSince = now().getTime()
  const placeOf = (number: number, at: number): string => `${process}.${number}.${at}`

  function lastOnes(from: number): Entry[] {
    const entries: Entry[] = []
    for (let number = from; number < next; number++) entries.push(ring[number % max]!.entry)
    return entries
  }

  return {
    add(signal) {
      const at = now().getTime()
      const replaced = ring[next % max]
      if (replaced) completeSince = replaced.at + 1
      const entry = { place: placeOf(next, at), signal }
      ring[next % max] = { entry, at }
      next++
      return entry
    },
    place: () => placeOf(next - 1, now().getTime()),
    after(place) {
      const [, where, number, at] = /^([0-9a-f]{8})\.(-?\d{1,15})\.(\d{1,15})$/.exec(place) ?? []
      if (where === undefined) return undefined
      const oldest = Math.max(0, next - max)
      if (where === process) {
        const from = Number(number) + 1
        return from >= oldest && from <= next ? lastOnes(from) : undefined
      }
      const since = Number(at) - skewMs
      if (since < completeSince) return undefined
      let from = next
      while (from > oldest && ring[(from - 1) % max]!.at >= since) from--
      return lastOnes(from)
    },
  }
}
