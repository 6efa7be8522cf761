/** Number of ended items of one kind, with the first `maxPreviewNames` names in sorted order. */
export interface Ended {
  total: number
  names: string[]
}

/** Items that ended with a removal, a deletion, or a block, by kind. */
export interface Removal {
  /** People who left an organization. */
  people: Ended
  /** People who left a team or were members of a deleted one. */
  members: Ended
  /** Organizations that someone left or that were deleted. */
  organizations: Ended
  /** Teams that someone left or that were deleted. */
  teams: Ended
  /** Repositories on which someone's collaboration ended, as `owner/name`. */
  collaborations: Ended
  /** Repositories of a deleted team. */
  repositories: Ended
}

/** Maximum number of names listed in a preview; beyond that, only the total is shown. */
export const maxPreviewNames = 20

const nothingEnded: Ended = { total: 0, names: [] }

/** Returns a complete `Removal`, in which every kind that is not passed is empty. */
export function removal(ended: Partial<Removal> = {}): Removal {
  return {
    people: nothingEnded,
    members: nothingEnded,
    organizations: nothingEnded,
    teams: nothingEnded,
    collaborations: nothingEnded,
    repositories: nothingEnded,
    ...ended,
  }
}

/** Counts distinct names and returns the first of them in sorted order. */
export function endedOf(names: readonly string[]): Ended {
  const sorted = [...new Set(names)].sort((first, second) => (first < second ? -1 : 1))
  return { total: sorted.length, names: sorted.slice(0, maxPreviewNames) }
}
