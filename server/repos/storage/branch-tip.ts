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

/** Returns the first line of a commit or tag message, at most 300 characters. The last one is `…` if it was longer. */
export const firstLine = (message: string): string => splitMessage(message).summary

/** Returns the first line of a message like `firstLine`, and the rest of the message. */
export function splitMessage(message: string): { summary: string; rest: string } {
  const end = message.indexOf('\n')
  const line = (end < 0 ? message : message.slice(0, end)).trim()
  const rest = end < 0 ? '' : message.slice(end + 1).trim()
  if (line.length <= maxSummary) return { summary: line, rest }
  // No half of a character that takes two.
  const summary = line.slice(0, maxSummary - 1).replace(/[\ud800-\udbff]$/, '')
  return { summary: `${summary}…`, rest: `…${line.slice(summary.length)}\n\n${rest}`.trim() }
}
