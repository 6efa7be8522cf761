import { dayMs } from '@/server/kernel/clock'

/** The time in milliseconds for which an upload without progress is kept. */
export const keptMs = 7 * dayMs

export const expiryFrom = (lastActive: Date): Date => new Date(lastActive.getTime() + keptMs)

/** Returns the time of last activity before which uploads have expired. */
export const oldestActive = (now: Date): Date => new Date(now.getTime() - keptMs)
