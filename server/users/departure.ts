/** Names of what ended, in order, cut short where they are many; the total counts all. */
export interface Ended {
  total: number
  names: string[]
}

/** What ended with a removal, a deletion or a block. */
export interface Departure {
  /** Who left an organization. */
  people: Ended
  /** Of a deleted team. */
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

/** As many names as a person reads before agreeing; of the rest the number is told. */
export const namesTold = 20

const nothingEnded: Ended = { total: 0, names: [] }

/** What ended, where all that is not given stayed. */
export function departure(ended: Partial<Departure> = {}): Departure {
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
  return { total: sorted.length, names: sorted.slice(0, namesTold) }
}
