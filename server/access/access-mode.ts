/** From nothing to everything; each includes those before it. */
export const accessModes = ['none', 'read', 'write', 'admin', 'owner'] as const
export type AccessMode = (typeof accessModes)[number]

export function atLeast(mode: AccessMode, needed: AccessMode): boolean {
  return accessModes.indexOf(mode) >= accessModes.indexOf(needed)
}

export function highest(modes: readonly AccessMode[]): AccessMode {
  return modes.reduce((best, mode) => (atLeast(best, mode) ? best : mode), 'none')
}

export function lowest(first: AccessMode, second: AccessMode): AccessMode {
  return atLeast(first, second) ? second : first
}
