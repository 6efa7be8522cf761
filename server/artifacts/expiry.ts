const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When a new artifact expires: at the wanted time, within an hour and the number of days that the site keeps them. */
export function expiryOf(wanted: Date | undefined, now: Date, retentionDays: number): Date {
  const [first, last] = [now.getTime() + hourMs, now.getTime() + retentionDays * dayMs]
  return new Date(Math.min(Math.max(wanted?.getTime() ?? last, first), last))
}
