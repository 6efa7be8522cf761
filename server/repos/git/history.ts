import { parseCommit } from '@/server/kernel/git/commit'
import { readObjects } from '@/server/kernel/git/objects'
import { oneRef, type Ref } from '@/server/kernel/git/refs'
import { GitError, runGit } from '@/server/kernel/git/run'
import { readHead } from './head'
import { type Budget, inTime, startBudget } from './in-time'
import { isAbsent, type RefUpdate } from './ref-update'

/** What a move of a branch means to people. */
export interface BranchHistory {
  /**
   * How many came with it, up to 10000; of a new branch those that the default branch lacks. Zero when they could not
   * be counted in time.
   */
  commits: number
  /** It lost commits it had. */
  forced: boolean
  /** The first line of the newest message. */
  summary: string
}

const mostCommits = 10_000
const mostSummary = 255

/** Looks up what happened on branches that are there after a push, in their order, as far as it can be told in time. */
export async function branchHistories(
  repository: string,
  updates: readonly RefUpdate[],
): Promise<BranchHistory[]> {
  if (updates.length === 0) return []
  const budget = startBudget()
  const defaultBranch = updates.some(update => isAbsent(update.before))
    ? await inTime(budget, undefined, () => headRef(repository))
    : undefined
  const summaries = await inTime(budget, [], () => firstLines(repository, updates))
  const histories: BranchHistory[] = []
  for (const [index, { ref, before, after }] of updates.entries()) {
    const isNew = isAbsent(before)
    const beside = ref === defaultBranch?.ref ? undefined : defaultBranch?.id
    const base = isNew ? beside : before
    const [commits, forced] = await Promise.all([
      countCommits(repository, base, after, budget),
      isNew ? false : isAncestor(repository, before, after, budget).then(kept => kept === false),
    ])
    histories.push({ commits, forced, summary: summaries[index] ?? '' })
  }
  return histories
}

/** Is `older` part of the history of `newer`? Undefined when one of them does not exist, or there is no time left. */
export async function isAncestor(
  repository: string,
  older: string,
  newer: string,
  budget: Budget,
): Promise<boolean | undefined> {
  return await inTime(budget, undefined, async timeoutMs => {
    try {
      await runGit(['merge-base', '--is-ancestor', older, newer], { repository, timeoutMs })
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

async function countCommits(
  repository: string,
  base: string | undefined,
  tip: string,
  budget: Budget,
): Promise<number> {
  if (base === tip) return 0
  const range = base ? [tip, `^${base}`] : [tip]
  return await inTime(budget, 0, async timeoutMs => {
    const count = ['rev-list', '--count', `--max-count=${mostCommits}`]
    return Number(await runGit([...count, ...range, '--'], { repository, timeoutMs }))
  })
}

async function firstLines(repository: string, updates: readonly RefUpdate[]): Promise<string[]> {
  const commits = await readObjects(
    repository,
    updates.map(update => update.after),
  )
  return commits.map(commit => {
    const [line = ''] = commit ? parseCommit(commit).message.trimStart().split('\n', 1) : []
    // A database of texts takes no zero bytes.
    return [...line.replaceAll('\0', ' ').trim()].slice(0, mostSummary).join('')
  })
}
