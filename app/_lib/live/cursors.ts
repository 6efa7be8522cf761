/** A point in what is told, and when this browser was given it. */
export interface Cursor {
  cursor: string
  /** In milliseconds since 1970, by which tabs agree. */
  at: number
}

/** The cursors that a tab was given. */
export interface Cursors {
  add(cursor: string): void
  last(): Cursor | undefined
  /** The last one from before all that a page may show without fetching it; the first one known where none is. */
  before(): Cursor | undefined
}

/** What was fetched is shown for so long without being fetched again: `staleTime` of all queries, and some seconds for the way. */
export const shownMs = 40_000

// A busy stream gives hundreds a second.
const everyMs = 1_000

/** Remembers the cursors of a tab, which begins at the one it was rendered at. */
export function rememberCursors(first: Cursor | undefined): Cursors {
  let cursors = first ? [first] : []
  let last = first
  return {
    add(cursor) {
      const at = Date.now()
      last = { cursor, at }
      if (cursors.some(known => known.at > at - everyMs)) return
      const oldest = cursors.findLastIndex(known => known.at <= at - shownMs)
      cursors = [...cursors.slice(Math.max(0, oldest)), last]
    },
    last: () => last,
    before() {
      const limit = Date.now() - shownMs
      return cursors.findLast(({ at }) => at <= limit) ?? cursors[0]
    },
  }
}
