import type { PushedCommit } from '@/server/events'
import { isDomainError } from '@/server/kernel/errors'
import { type Commit, parseCommit } from '@/server/kernel/git/commit'
import type { Signature } from '@/server/kernel/git/object-text'
import { readObjects } from '@/server/kernel/git/objects'
import { oneRef, type Ref } from '@/server/kernel/git/refs'
import { GitError, type GitOptions, runGit } from '@/server/kernel/git/run'
import { readHead } from '../storage/head'
import { isAbsent, type RefUpdate } from './ref-update'

/**
 * Summary of how a push changed a branch, for activity feeds: the number of commits, whether it was forced,
 * and the newest commit.
 */
export interface BranchHistory {
  /**
   * The number of commits that the push added to the branch, up to 10,000. For a new branch, counts the
   * commits that the default branch lacks. Zero if they could not be counted in time.
   */
  commits: number
  /** Whether the branch lost commits that it had before the push. */
  forced: boolean
  /** The first line of the newest commit message. */
  summary: string
  /** The newest commits that the push added, at most five, newest first. */
  newest: PushedCommit[]
}

const maxCommits = 10_000
const maxNewest = 5
const maxSummary = 255
const maxMessage = 1000

/**
 * Summarizes how a push changed branches, in the order of `updates`, which must not contain deletions. Values
 * that cannot be read within the time limit are empty.
 * @throws the signal's reason if it is aborted.
 */
export async function branchHistories(
  repository: string,
  updates: readonly RefUpdate[],
  signal?: AbortSignal,
): Promise<BranchHistory[]> {
  if (updates.length === 0) return []
  const budget = startBudget({ signal })
  const defaultBranch = updates.some(update => isAbsent(update.before))
    ? await inTime(budget, undefined, () => headRef(repository))
    : undefined
  const histories: Omit<BranchHistory, 'summary' | 'newest'>[] = []
  const newest: string[][] = []
  const tips = await inTime(budget, new Map<string, Commit>(), () =>
    readCommits(
      repository,
      updates.map(({ after }) => after),
    ),
  )
  for (const { ref, before, after } of updates) {
    const isNew = isAbsent(before)
    const { parents } = tips.get(after) ?? {}
    // Most pushes add one commit, and no Git command is needed to see that.
    if (parents?.length === 1 && parents[0] === before) {
      histories.push({ commits: 1, forced: false })
      newest.push([after])
      continue
    }
    const alongside = ref === defaultBranch?.ref ? undefined : defaultBranch?.id
    const base = isNew ? alongside : before
    const [commits, forced] = await Promise.all([
      listCommits(repository, base, after, budget),
      isNew ? false : isAncestor(repository, before, after, budget).then(kept => kept === false),
    ])
    histories.push({ commits: commits.length, forced })
    newest.push(commits.slice(0, maxNewest))
  }
  const left = newest.flat().filter(sha => !tips.has(sha))
  const others = await inTime(budget, new Map<string, Commit>(), () => readCommits(repository, left))
  const read = new Map([...tips, ...others])
  return histories.map((history, index) => ({
    ...history,
    summary: summaryOf(read.get(updates[index]?.after ?? '')),
    newest: (newest[index] ?? []).flatMap(sha => keptOf(read.get(sha))),
  }))
}

/**
 * Returns whether the commit `older` is an ancestor of the commit `newer`; undefined if either commit does
 * not exist or the time limit is exceeded.
 */
export async function isAncestor(
  repository: string,
  older: string,
  newer: string,
  budget: Budget,
): Promise<boolean | undefined> {
  return await inTime(budget, undefined, async limits => {
    try {
      await runGit(['merge-base', '--is-ancestor', older, newer], { repository, ...limits })
      return true
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return false
      throw error
    }
  })
}

async function headRef(repository: string): Promise<Ref | undefined> {
  return await oneRef(repository, await readHead(repository))
}

async function listCommits(
  repository: string,
  base: string | undefined,
  tip: string,
  budget: Budget,
): Promise<string[]> {
  if (base === tip) return []
  const range = base ? [tip, `^${base}`] : [tip]
  return await inTime(budget, [], async limits => {
    const listed = await runGit(['rev-list', `--max-count=${maxCommits}`, ...range, '--'], {
      repository,
      ...limits,
      maxBytes: maxCommits * (tip.length + 1),
    })
    return listed.split('\n').filter(Boolean)
  })
}

async function readCommits(repository: string, ids: readonly string[]): Promise<Map<string, Commit>> {
  const objects = await readObjects(repository, [...new Set(ids)])
  return new Map(objects.flatMap(object => (object ? [[object.sha, parseCommit(object)]] : [])))
}

const summaryOf = (commit: Commit | undefined): string => {
  const [line = ''] = commit?.message.trimStart().split('\n', 1) ?? []
  return kept(line, maxSummary)
}

function keptOf(commit: Commit | undefined): PushedCommit[] {
  if (!commit) return []
  const { sha, message, author, committer } = commit
  const person = ({ name, email }: Signature) => ({
    name: kept(name, maxSummary),
    email: kept(email, maxSummary),
  })
  return [
    {
      sha,
      message: kept(message, maxMessage),
      author: person(author),
      committer: person(committer),
      date: committer.date.toISOString(),
    },
  ]
}

// Text columns of the database cannot store null characters.
const kept = (text: string, max: number): string =>
  [
    ...text
      .slice(0, 2 * max)
      .replaceAll('\0', ' ')
      .trim(),
  ]
    .slice(0, max)
    .join('')

/** A time limit shared by several `git` commands. A signal can end it early. */
export interface Budget {
  leftMs(): number
  signal: AbortSignal | undefined
}

const defaultMs = 20_000

/**
 * Starts a time limit, 20 seconds by default, that is shared by all `git` commands that read the branch
 * histories of a push.
 */
export function startBudget({
  ms = defaultMs,
  signal,
}: {
  ms?: number
  signal?: AbortSignal | undefined
} = {}): Budget {
  const end = performance.now() + ms
  return { leftMs: () => Math.ceil(end - performance.now()), signal }
}

/**
 * Runs a Git read operation within the time limit. Returns `fallback` if Git fails, times out or is too busy, for example
 * because of a corrupt history, so that optional data does not make a push fail. If the signal is aborted,
 * throws its reason instead, so that a later attempt can read again.
 */
export async function inTime<T>(
  budget: Budget,
  fallback: T,
  look: (limits: Pick<GitOptions, 'timeoutMs' | 'signal'>) => Promise<T>,
): Promise<T> {
  const { signal } = budget
  signal?.throwIfAborted()
  const timeoutMs = budget.leftMs()
  if (timeoutMs <= 0) return fallback
  return await look({ timeoutMs, signal }).catch(error => {
    if (error instanceof GitError || isDomainError(error)) return fallback
    throw error
  })
}
