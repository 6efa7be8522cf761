import type { AccessMode } from '@/db/tables/teams'

export type { AccessMode }

/** Access modes from least to most; each includes the modes before it. */
export const accessModes = [
  'none',
  'read',
  'write',
  'admin',
  'owner',
] as const satisfies readonly AccessMode[]

/**
 * Modes that can be granted to teams and collaborators. `none` is the mode of people without access, and
 * `owner` that of owners.
 */
export const grantableModes = ['read', 'write', 'admin'] as const satisfies readonly AccessMode[]

/** Error message that lists the modes a team can have. */
export const teamModeExpected = 'Choose none, read, write, or admin.'

export function atLeast(mode: AccessMode, needed: AccessMode): boolean {
  return accessModes.indexOf(mode) >= accessModes.indexOf(needed)
}

export function highest(modes: readonly AccessMode[]): AccessMode {
  return modes.reduce((best, mode) => (atLeast(best, mode) ? best : mode), 'none')
}

export function lowest(first: AccessMode, second: AccessMode): AccessMode {
  return atLeast(first, second) ? second : first
}
