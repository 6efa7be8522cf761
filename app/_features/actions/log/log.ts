import { isLoss } from '@/app/_features/scopes/is-loss'
import { createThrottledListeners } from './throttled-listeners'

/** A row of a log. */
export interface LogRow {
  /** Time in ISO 8601 according to the runner's clock. */
  time: string
  content: string
}

/**
 * Rows from a position on, as the server returns them. There can be fewer than requested if they are long.
 */
export interface LogPart {
  rows: readonly LogRow[]
  /** Current number of rows. */
  total: number
  /** Whether no more rows will follow. */
  isComplete: boolean
}

/** A job's log. It is fetched in parts, on demand. */
export interface Log {
  rowAt(row: number): LogRow | undefined
  /** Number of rows. Undefined until the server has responded. */
  total(): number | undefined
  /** Whether there are more rows than a browser should hold. Rows beyond the limit are left out. */
  isCut(): boolean
  isComplete(): boolean
  /** Error of the last call. Undefined if it succeeded. */
  failure(): unknown
  /** Number of loaded rows. */
  loaded(): number
  /** Fetches all rows in this range that are not loaded yet. */
  want(from: number, to: number): void
  /** Checks for more rows and fetches those after the last known row. */
  refresh(): Promise<void>
  /**
   * Adds a listener. Missing rows are fetched only while there are listeners. Returns a function that removes
   * the listener.
   */
  subscribe(listener: () => void): () => void
  /** Changes with every change of the log. */
  version(): number
}

const partRows = 5000
/** Delay after a failed call. */
export const retryMs = 3000

const mostRows = 1_000_000

/** Creates a log whose rows are fetched one part at a time. */
export function createLog(
  fetchPart: (from: number, limit: number) => Promise<LogPart>,
  limits = { mostRows },
): Log {
  const rows: (LogRow | undefined)[] = []
  const listeners = createThrottledListeners()
  const wanted: Range[] = []
  const known = {
    total: undefined as number | undefined,
    isComplete: false,
    failure: undefined as unknown,
    loaded: 0,
  }
  let fetching: Promise<void> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const take = (from: number, part: LogPart): void => {
    part.rows.slice(0, Math.max(0, limits.mostRows - from)).forEach((row, at) => {
      if (!rows[from + at]) known.loaded++
      rows[from + at] = row
    })
    known.total = Math.max(known.total ?? 0, part.total, from + part.rows.length)
    known.isComplete = part.isComplete
    known.failure = undefined
    listeners.changed()
  }

  const fetchOnce = async (from: number, limit: number): Promise<boolean> => {
    try {
      const part = await fetchPart(from, limit)
      take(from, part)
      return part.rows.length > 0
    } catch (error) {
      known.failure = error
      listeners.changed()
      return false
    }
  }

  const fetchWanted = async (): Promise<void> => {
    for (;;) {
      const missing = firstMissing(rows, wanted)
      if (!missing) break
      const hasCome = await fetchOnce(missing.from, missing.count)
      if (listeners.count() === 0) return
      if (hasCome) continue
      if (known.failure === undefined) wanted.length = 0
      else if (!isLoss(known.failure)) retry = setTimeout(begin, retryMs)
      return
    }
    wanted.length = 0
  }

  const begin = (): void => {
    clearTimeout(retry)
    fetching ??= fetchWanted().finally(() => {
      fetching = undefined
    })
  }

  return {
    rowAt: row => rows[row],
    total: () => known.total && Math.min(known.total, limits.mostRows),
    isCut: () => (known.total ?? 0) > limits.mostRows,
    isComplete: () => known.isComplete,
    failure: () => known.failure,
    loaded: () => known.loaded,
    want(from, to) {
      wanted.push({ from, to: Math.min(to, limits.mostRows) })
      if (firstMissing(rows, wanted)) begin()
      else wanted.length = 0
    },
    async refresh() {
      if (fetching) return await fetching
      const from = known.total ?? 0
      fetching = fetchOnce(from, from < limits.mostRows ? partRows : 1).then(() => undefined)
      await fetching.finally(() => {
        fetching = undefined
      })
      if (wanted.length > 0) begin()
    },
    subscribe(listener) {
      const remove = listeners.add(listener)
      if (wanted.length > 0) begin()
      return () => {
        remove()
        if (listeners.count() === 0) clearTimeout(retry)
      }
    },
    version: listeners.version,
  }
}

interface Range {
  from: number
  to: number
}

/** Returns the first wanted row that is missing, and how many rows are missing from there. */
function firstMissing(
  rows: readonly (LogRow | undefined)[],
  wanted: readonly Range[],
): { from: number; count: number } | undefined {
  for (const range of wanted) {
    while (range.from < range.to && rows[range.from]) range.from++
    if (range.from >= range.to) continue
    let end = range.from
    while (end < range.to && !rows[end] && end - range.from < partRows) end++
    return { from: range.from, count: end - range.from }
  }
  return undefined
}
