import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { parseCommit } from '@/server/kernel/git/commit'
import { readObjects } from '@/server/kernel/git/objects'
import { requireSignInIfExpensive } from '@/server/repos'
import type { RepoPath } from '@/server/repos/schema'
import { splitBasehead } from './commits/get'
import { requireCommitish, requireCompared } from './commits/list'
import { findMergeBase } from './commits/merge-base'
import { type ReadableCode, withCode } from './context'
import { comparedPatchArguments, diffArguments, patchArguments } from './diff/raw-text'

export type DiffForm = 'diff' | 'patch'

/** What is shown as a diff: a commit, or the difference between two revisions. */
export type DiffTarget = { of: 'commit'; sha: string } | { of: 'comparison'; basehead: string }

/** A diff as text, which Git writes. */
export interface DiffText {
  /** Directory of the repository's Git data. */
  git: string
  /** Arguments of the Git command that writes it. */
  args: string[]
  /** Identifies the text, which never changes. */
  id: string
  isPrivate: boolean
}

/**
 * Finds the commits of a diff or patch.
 * @throws {DomainError} notFound; moved after a rename; forbidden without read access to the code; unauthenticated
 * for a comparison if the site reserves these.
 */
export async function findDiffText(
  ctx: ServiceCtx,
  path: RepoPath,
  target: DiffTarget,
  form: DiffForm,
): Promise<DiffText> {
  if (target.of === 'comparison') requireSignInIfExpensive(ctx)
  return await withCode(ctx, path, async code => {
    const about = { git: code.git, isPrivate: code.repository.is_private }
    if (target.of === 'comparison') {
      const { base, head, isDirect } = splitBasehead(target.basehead, code.repository.default_branch)
      const [from, to] = [await requireCompared(code, base), await requireCompared(code, head)]
      // Without a common commit, both are compared as they are.
      const parting = isDirect ? undefined : await findMergeBase(code.git, from.commit, to.commit)
      const args =
        form === 'diff'
          ? diffArguments(to.commit, parting ?? from.commit)
          : comparedPatchArguments(from.commit, to.commit)
      return { ...about, args, id: `${from.commit}${isDirect ? '..' : '...'}${to.commit}.${form}` }
    }
    const { commit } = await requireCommitish(code, target.sha)
    const firstParent = await firstParentOf(code, commit)
    const args = form === 'diff' ? diffArguments : patchArguments
    return { ...about, args: args(commit, firstParent), id: `${commit}.${form}` }
  })
}

/** Returns the ID of a commit's first parent; undefined for a root commit. */
export async function firstParentOf({ git }: ReadableCode, commit: string): Promise<string | undefined> {
  const [object] = await readObjects(git, [commit])
  if (!object) throw notFound()
  return parseCommit(object).parents[0]
}
