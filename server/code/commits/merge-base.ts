import { tooManyRequests } from '@/server/kernel/errors'
import { GitError, GitTimeout, runGit } from '@/server/kernel/git/run'

const timeoutMs = 10_000

/**
 * Finds the commit at which two histories part; undefined if they have nothing in common.
 * @throws {DomainError} tooManyRequests if this takes more than ten seconds
 */
export async function findMergeBase(repository: string, a: string, b: string): Promise<string | undefined> {
  try {
    return (await runGit(['merge-base', a, b], { repository, timeoutMs })).trim() || undefined
  } catch (error) {
    if (error instanceof GitTimeout) throw tooManyRequests('the histories are too long to be compared', 60)
    if (error instanceof GitError && error.exitCode === 1) return undefined
    throw error
  }
}
