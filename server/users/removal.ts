/** Names of what ended, in order, cut short where they are many; the total counts all. */
export interface Ended {
  total: number
  names: string[]
}

/** What ended with a removal, a deletion or a block. */
export interface Removal {
  /** Who left an organization. */
  people: Ended
  /** Who left a team, or was in the deleted one. */
  members: Ended
  /** Left by somebody, or deleted. */
  organizations: Ended
  /** Left by somebody, or deleted. */
  teams: Ended
  /** Repositories on which somebody was a collaborator, as `owner/name`. */
  collaborations: Ended
  /** That a deleted team had. */
  repositories: Ended
}

/** The number of names that a person reads before agreeing; the rest is counted only. */
export const maxPreviewNames = 20

const nothingEnded: Ended = { total: 0, names: [] }

/** Completes what ended with nothing for every kind that is not given. */
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

/** Counts each name once. */
export function endedOf(names: readonly string[]): Ended {
  const sorted = [...new Set(names)].sort((first, second) => (first < second ? -1 : 1))
  return { total: sorted.length, names: sorted.slice(0, maxPreviewNames) }
}
