/** Counted by rate-limiter-flexible, which names the columns. */
export interface LoginFailuresTable {
  key: string
  points: number
  /** Milliseconds since 1970. */
  expire: number | null
}
