import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { findCommitish, findRevision } from '@/server/kernel/git/revision'
import { withGitSlot } from '@/server/kernel/git/slots'
import { mayReadCode, type RepositoryWithAccess, unlessUnreadable } from '@/server/repos'
import { repositoryPath } from '@/server/repos/storage'
import { countCommits } from './walk'

/**
 * Counts the commits of the default branch that a tag does not have. Returns null for callers who cannot read the code,
 * if the tag or the branch does not exist, and if counting takes too long or Git is too busy.
 */
export async function countCommitsSince(
  ctx: ServiceCtx,
  found: RepositoryWithAccess,
  tag: string,
): Promise<number | null> {
  const { repository } = found
  if (repository.is_empty || !mayReadCode(found)) return null
  const git = repositoryPath(ctx.config, repository.storage_key)
  return await unlessUnreadable(ctx, repository, () =>
    withGitSlot(ctx, async () => {
      const since = await findCommitish(git, `refs/tags/${tag}`)
      const tip = await findRevision(git, repository.default_branch)
      if (since?.kind !== 'tag' || tip?.kind !== 'branch') return null
      try {
        return await countCommits(git, { from: tip.commit, not: [since.commit] })
      } catch (error) {
        if (isDomainError(error)) return null
        throw error
      }
    }),
  )
}
