import type { RefInfo } from './refs'

/** A branch with the details of its newest commit that are shown in one row of a list. */
export interface BranchTip {
  name: string
  sha: string
  /** The beginning of the commit message. */
  summary: string
  author: string
  date: Date
}

/** Reduces a branch to the details that are shown in one row of a list. */
export function tipOf({ name, commit: { sha, message, author } }: RefInfo): BranchTip {
  return { name, sha, summary: firstLine(message), author: author.name, date: author.date }
}

const maxSummary = 300

/** Returns the first line of a commit or tag message, truncated to 300 characters. */
export const firstLine = (message: string): string =>
  (message.split('\n', 1)[0] ?? '').slice(0, maxSummary).trim()
