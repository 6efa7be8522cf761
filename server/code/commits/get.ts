import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { requireSignInIfExpensive } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { withCode } from '../context'
import type { Commit, Comparison } from '../schema'
import { readCommits, requireCommitish, requireCompared } from './list'
import type { PartsWanted } from './view'
import { countCommits, walkCommits } from './walk'

/**
 * Returns a commit.
 * @throws {DomainError} unprocessable for a name that no revision can have; notFound; moved after a rename;
 * forbidden without read access to the code.
 */
export async function getCommit(
  ctx: ServiceCtx,
  input: RepoPath & PartsWanted & { sha: string },
): Promise<Commit> {
  refuseExpression(input.sha)
  return await withCode(ctx, input, async code => {
    const { commit } = await requireCommitish(code, input.sha)
    const [found] = await readCommits(ctx, code, [commit], input)
    if (!found) throw notFound()
    return found
  })
}

/**
 * Refuses names that Git reads as expressions, such as `main~1`.
 * @throws {DomainError} unprocessable
 */
export function refuseExpression(sha: string): void {
  if (/[~^:\s]|\.\./.test(sha)) throw unprocessable('no valid ref or sha', { field: 'sha' })
}

const maxCompared = 250

/**
 * Returns the commits by which one revision is ahead of another, newest first, at most 250. `base...head` and
 * `base..head` name both; a single revision is compared with the default branch.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code;
 * tooManyRequests if the walk takes too long; unauthenticated if the site reserves comparisons.
 */
export async function compareCommits(
  ctx: ServiceCtx,
  input: RepoPath & { basehead: string },
): Promise<Comparison> {
  requireSignInIfExpensive(ctx)
  return await withCode(ctx, input, async code => {
    const { base, head } = splitBasehead(input.basehead, code.repository.default_branch)
    const [from, to] = [await requireCompared(code, base), await requireCompared(code, head)]
    const wanted = { from: to.commit, not: [from.commit] }
    const total = await countCommits(code.git, wanted)
    const ids = await walkCommits(code.git, wanted, { offset: 0, limit: maxCompared })
    return { total_commits: total, commits: await readCommits(ctx, code, ids, {}) }
  })
}

/**
 * Splits `base...head` or, if both are compared as they are, `base..head`. The default branch takes the place of an
 * empty name.
 */
export function splitBasehead(
  text: string,
  defaultBranch: string,
): { base: string; head: string; isDirect: boolean } {
  const three = text.indexOf('...')
  const at = three < 0 ? text.indexOf('..') : three
  if (at < 0) return { base: defaultBranch, head: text || defaultBranch, isDirect: false }
  const isDirect = three < 0
  const head = text.slice(at + (isDirect ? 2 : 3))
  return { base: text.slice(0, at) || defaultBranch, head: head || defaultBranch, isDirect }
}
