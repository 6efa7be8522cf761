import type { AccessMode } from '@/db/tables/teams'

export type { AccessMode }

/** From nothing to everything; each includes those before it. */
export const accessModes = [
  'none',
  'read',
  'write',
  'admin',
  'owner',
] as const satisfies readonly AccessMode[]

/** What teams and collaborators can be given; the other modes follow from being nobody, or the owner. */
export const grantableModes = ['read', 'write', 'admin'] as const satisfies readonly AccessMode[]

/** What a team can have is told of with these words. */
export const teamModeExpected = 'Choose none, read, write or admin.'

export function atLeast(mode: AccessMode, needed: AccessMode): boolean {
  return accessModes.indexOf(mode) >= accessModes.indexOf(needed)
}

export function highest(modes: readonly AccessMode[]): AccessMode {
  return modes.reduce((best, mode) => (atLeast(best, mode) ? best : mode), 'none')
}

export function lowest(first: AccessMode, second: AccessMode): AccessMode {
  return atLeast(first, second) ? second : first
}
