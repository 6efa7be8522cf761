/** Source of the current time, passed as a parameter so that tests can set it. */
export interface Clock {
  now(): Date
}

export const dayMs: number = 24 * 60 * 60 * 1000

export const systemClock: Clock = { now: () => new Date() }
