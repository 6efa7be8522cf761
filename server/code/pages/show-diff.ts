import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { parseCommit } from '@/server/kernel/git/commit'
import { readObjects } from '@/server/kernel/git/objects'
import { wireTime } from '@/server/kernel/wire'
import { requireSignInIfExpensive } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { splitMessage } from '@/server/repos/storage'
import { splitBasehead } from '../commits/get'
import { requireCommitish, requireCompared } from '../commits/list'
import { findMergeBase } from '../commits/merge-base'
import { countCommits, walkCommits } from '../commits/walk'
import { type ReadableCode, withCode } from '../context'
import { readDiff } from '../diff/read-diff'
import type { Diff } from '../diff/schema'
import { cleanPath } from '../path'
import { readCommitLines } from './lines'
import type { CommitPage, ComparePage } from './schema'

interface DiffInput extends RepoPath {
  ignoreWhitespace: boolean
  /** Shows only these paths, with higher limits. */
  files: string[]
}

/**
 * Returns what the page of a commit shows. A merge is compared with its first parent.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code.
 */
export async function showCommit(
  ctx: ServiceCtx,
  input: DiffInput & { sha: string },
): Promise<CommitPage & { diff: Diff }> {
  return await withCode(ctx, input, async code => {
    const { commit: id } = await requireCommitish(code, input.sha)
    const [object] = await readObjects(code.git, [id])
    const [line] = await readCommitLines(ctx, code.git, [id])
    if (!object || !line) throw notFound()
    const { message, parents, author, committer, signed } = parseCommit(object)
    return {
      line,
      body: splitMessage(message).rest,
      parents,
      authored: wireTime(author.date),
      committer: committer.name === author.name && committer.email === author.email ? null : committer.name,
      isSigned: signed !== undefined,
      diff: await diffOf(ctx, code, input, { base: parents[0], head: id }),
    }
  })
}

const maxCommits = 250
// Rendering more would hold up other requests. The rest of the files is shown one by one.
const maxLines = 4_000
const maxLinesOfFile = 10_000
// Each has a section of its own on the page.
const maxFiles = 300

/**
 * Returns what the page of a comparison shows: what changed on the side of `head` since it left `base`, or, with two
 * dots, how both differ.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code; tooManyRequests if
 * the walk takes too long; unauthenticated if the site reserves comparisons.
 */
export async function showComparison(
  ctx: ServiceCtx,
  input: DiffInput & { basehead: string },
): Promise<ComparePage & { diff: Diff }> {
  requireSignInIfExpensive(ctx)
  return await withCode(ctx, input, async code => {
    const { isDirect, ...names } = splitBasehead(input.basehead, code.repository.default_branch)
    const [base, head] = [await requireCompared(code, names.base), await requireCompared(code, names.head)]
    const wanted = { from: head.commit, not: [base.commit] }
    const total = await countCommits(code.git, wanted)
    const ids = await walkCommits(code.git, wanted, { offset: 0, limit: maxCommits })
    const from = isDirect ? base.commit : await findMergeBase(code.git, base.commit, head.commit)
    return {
      base,
      head,
      isDirect,
      isUnrelated: from === undefined,
      total,
      behind: await countCommits(code.git, { from: base.commit, not: [head.commit] }),
      commits: await readCommitLines(ctx, code.git, ids),
      diff: await diffOf(ctx, code, input, { base: from ?? base.commit, head: head.commit }),
    }
  })
}

function diffOf(
  ctx: ServiceCtx,
  { git }: ReadableCode,
  { ignoreWhitespace, files }: DiffInput,
  between: { base: string | undefined; head: string },
): Promise<Diff> {
  const wanted =
    files.length > 0
      ? { paths: files.map(cleanPath), limits: { lines: maxLinesOfFile } }
      : { limits: { lines: maxLines, listed: maxFiles } }
  return readDiff(git, { ...between, ignoreWhitespace, ...wanted }, ctx.disconnected?.())
}
