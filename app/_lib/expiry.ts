import { dayMs } from './format'

export const presets = ['7', '30', '60', '90'] as const

/** How long a token or key works: a number of days, until a custom date, or without expiration. */
export interface Expiry {
  after: (typeof presets)[number] | 'date' | 'never'
  date: string
}

/**
 * Returns the time of expiry. A custom date includes its whole day. Returns an invalid date if the custom
 * date is invalid.
 */
export function endOf({ after, date }: Expiry, now: Date): Date {
  return after === 'date' ? new Date(`${date}T23:59:59`) : new Date(now.getTime() + Number(after) * dayMs)
}

/** Returns the time of expiry as API input. Undefined for none. */
export const wireEnd = (expiry: Expiry): string | undefined =>
  expiry.after === 'never' ? undefined : endOf(expiry, new Date()).toISOString()
