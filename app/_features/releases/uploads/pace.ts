const windowMs = 5_000

/** Measures how fast an amount has grown over the last few seconds. */
export class Pace {
  private marks: { at: number; amount: number }[] = []

  /** Records the current amount. Returns the growth per second, or undefined if it cannot be computed yet. */
  at(amount: number, now = Date.now()): number | undefined {
    this.marks.push({ at: now, amount })
    while ((this.marks[0]?.at ?? now) < now - windowMs) this.marks.shift()
    const first = this.marks[0]
    if (!first || now - first.at < 500 || amount < first.amount) return undefined
    return ((amount - first.amount) * 1000) / (now - first.at)
  }
}

/** Returns the remaining time as text; undefined if the rate is unknown. */
export function timeLeft(bytes: number, bytesPerSecond: number | undefined): string | undefined {
  if (!bytesPerSecond) return undefined
  const seconds = Math.ceil(bytes / bytesPerSecond)
  if (seconds < 60) return `${seconds} s left`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 60) return `${minutes} min left`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h ${minutes % 60} min left` : 'more than a day left'
}
