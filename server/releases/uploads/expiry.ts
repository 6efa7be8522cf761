import { dayMs } from '@/server/kernel/clock'

/** How long an upload without progress is kept. */
export const keptMs = 7 * dayMs

export const expiryFrom = (lastActive: Date): Date => new Date(lastActive.getTime() + keptMs)

/** Uploads that were last active before this time have expired. */
export const oldestActive = (now: Date): Date => new Date(now.getTime() - keptMs)
