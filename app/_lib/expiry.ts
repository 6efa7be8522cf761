import { dayMs } from './format'

export const presets = ['7', '30', '60', '90'] as const

/** How long a token or key is to work: so many days, until a day of choice, or until it is taken away. */
export interface Expiry {
  after: (typeof presets)[number] | 'date' | 'never'
  date: string
}

/** When it stops working, a day of choice at its end; an invalid date for a day that is none. */
export function endOf({ after, date }: Expiry, now: Date): Date {
  return after === 'date' ? new Date(`${date}T23:59:59`) : new Date(now.getTime() + Number(after) * dayMs)
}

/** The end as calls take it; undefined for none. */
export const wireEnd = (expiry: Expiry): string | undefined =>
  expiry.after === 'never' ? undefined : endOf(expiry, new Date()).toISOString()
