import { listRefs, maxSorted, type RefInfo, type RefsCtx } from './refs'

/** A branch with the details of its newest commit that are shown in one row of a list. */
export interface BranchTip {
  name: string
  sha: string
  /** The beginning of the commit message. */
  summary: string
  author: string
  date: Date
}

/**
 * Reads the branches with the newest commits, and the default branch. If there are more than 20,000 branches,
 * reads the default branch and the first ones by name instead. `head` is undefined if the default branch does
 * not exist.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
 */
export async function newestBranches(
  ctx: RefsCtx,
  storageKey: string,
  { limit, defaultBranch, count = 0 }: { limit: number; defaultBranch: string; count?: number },
): Promise<{ newest: BranchTip[]; head: BranchTip | undefined }> {
  // The default branch is listed first, and so it is one more if it is not among the newest.
  const wanted = { offset: 0, limit: limit + 1, first: defaultBranch, count }
  const { items } = await listRefs(ctx, storageKey, 'heads', wanted)
  const head = items.find(({ name }) => name === defaultBranch)
  const newest = count > maxSorted ? items : items.toSorted(byAge)
  return { newest: newest.slice(0, limit).map(tipOf), head: head && tipOf(head) }
}

const byAge = (a: RefInfo, b: RefInfo): number =>
  b.commit.committer.date.getTime() - a.commit.committer.date.getTime() || (a.name < b.name ? -1 : 1)

/** Reduces a branch to the details that are shown in one row of a list. */
export function tipOf({ name, commit: { sha, message, author } }: RefInfo): BranchTip {
  return { name, sha, summary: firstLine(message), author: author.name, date: author.date }
}

const maxSummary = 300

/** Returns the first line of a commit or tag message, truncated to 300 characters. */
export const firstLine = (message: string): string =>
  (message.split('\n', 1)[0] ?? '').slice(0, maxSummary).trim()
