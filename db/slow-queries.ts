import type { Logger } from 'kysely'

/** Statement that took a second or more, with placeholders instead of values. */
export interface SlowQuery {
  sql: string
  /** In milliseconds. */
  duration: number
}

export type SlowQueryListener = (query: SlowQuery) => void

const slowMs = 1_000
const maxLength = 1_000

/** Returns a log for a database that reports only slow statements. */
export const reportSlow =
  (listener: SlowQueryListener | undefined): Logger =>
  ({ queryDurationMillis: duration, query }) => {
    if (duration >= slowMs) listener?.({ sql: query.sql.slice(0, maxLength), duration: Math.round(duration) })
  }
