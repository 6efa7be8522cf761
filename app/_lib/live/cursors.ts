/** A position in the stream of live messages, and when this browser received it. */
export interface Cursor {
  cursor: string
  /** When it was received, in milliseconds since 1970, which can be compared between tabs. */
  at: number
}

/** The cursors that a tab has received. */
export interface Cursors {
  add(cursor: string): void
  last(): Cursor | undefined
  /**
   * Returns the last cursor older than any data that a page can show without fetching it again, or the oldest
   * known one.
   */
  before(): Cursor | undefined
}

/**
 * How long fetched data is shown without being fetched again: `staleTime` of all queries, plus some seconds
 * for the transmission.
 */
export const shownMs = 40_000

// A busy stream sends hundreds per second.
const everyMs = 1_000

/** Remembers a tab's cursors, starting with that of the rendered page. */
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
