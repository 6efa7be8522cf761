import type { Generated } from 'kysely'

export type StatusState = 'pending' | 'success' | 'error' | 'failure' | 'warning' | 'skipped'

/** A status of a commit, as a CI system or a workflow run reported it. Rows never change. */
export interface CommitStatusesTable {
  repository_id: number
  sha: string
  /** Number of the status within the commit, starting at 1, with gaps where old statuses were deleted. */
  number: number
  /** What was checked; the newest status of a context counts. Can be empty. */
  context: string
  state: StatusState
  description: Generated<string>
  /** Absolute URL; for the source `run`, a path below the page of the repository. Empty for none. */
  target_url: Generated<string>
  /** Account that reported the status or caused the run; it may have been deleted since. Null if none did. */
  creator_id: number | null
  /** What reported the status: a person, their access token, a job with its token, or the site for its own runs. */
  source: 'account' | 'token' | 'job' | 'run'
  created_at: Generated<Date>
}

/** The number of the newest status of a commit. */
export interface CommitStatusTotalsTable {
  repository_id: number
  sha: string
  last_number: number
  /**
   * Number of different contexts. It is too high after several statuses were the first of one at the same time, until it
   * reaches a limit and is counted again.
   */
  contexts: number
}
