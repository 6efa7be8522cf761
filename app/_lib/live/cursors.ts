/** A point in what is told, and when this browser was given it. */
export interface Place {
  place: string
  /** In milliseconds since 1970, by which tabs agree. */
  at: number
}

/** The places that a tab was given. */
export interface Places {
  add(place: string): void
  last(): Place | undefined
  /** The last one from before all that a page may show without fetching it; the first one known where none is. */
  before(): Place | undefined
}

/** What was fetched is shown for so long without being fetched again: `staleTime` of all queries, and some seconds for the way. */
export const shownMs = 40_000

// A busy stream gives hundreds a second.
const everyMs = 1_000

/** Remembers the places of a tab, which begins at the one it was rendered at. */
export function rememberPlaces(first: Place | undefined): Places {
  let places = first ? [first] : []
  let last = first
  return {
    add(place) {
      const at = Date.now()
      last = { place, at }
      if (places.some(known => known.at > at - everyMs)) return
      const oldest = places.findLastIndex(known => known.at <= at - shownMs)
      places = [...places.slice(Math.max(0, oldest)), last]
    },
    last: () => last,
    before() {
      const limit = Date.now() - shownMs
      return places.findLast(({ at }) => at <= limit) ?? places[0]
    },
  }
}
