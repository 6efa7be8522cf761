import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { GitError } from '@/server/kernel/git/run'
import { getRepository, type SeenRepository } from './find'
import { newestBranches } from './git'
import { mayAdminister, mayDelete, mayPush, mayReadCode } from './policy'
import { readRefs } from './refs/read'
import { viewTip } from './refs/view'
import type { RepositoryHome } from './schema'
import { viewRepository } from './view'

const shownBranches = 5

/**
 * What the pages of a repository begin with; with `tips` also where its branches stand, which takes one git command.
 * Throws notFound, and moved after a rename.
 */
export async function showHome(
  ctx: ServiceCtx,
  { tips: wantsTips, ...path }: { owner: string; repo: string; tips?: boolean | undefined },
): Promise<RepositoryHome> {
  const seen = await getRepository(ctx, path)
  const mayRead = mayReadCode(seen)
  return {
    repository: viewRepository(ctx, seen),
    branches: mayRead ? seen.repository.branch_count : 0,
    tags: mayRead ? await countTags(ctx, seen) : 0,
    tips: mayRead && wantsTips ? await tipsOf(ctx, seen) : null,
    mayPush: mayPush(seen),
    mayAdminister: mayAdminister(seen),
    mayDelete: mayDelete(seen),
  }
}

async function countTags(ctx: ServiceCtx, { repository }: SeenRepository): Promise<number> {
  return repository.tag_count ?? (await readRefs(ctx, repository, 'tags', { page: 1, limit: 0 })).total
}

// A page goes without them while git has too much to do, or cannot read a commit.
async function tipsOf(ctx: ServiceCtx, { repository }: SeenRepository): Promise<RepositoryHome['tips']> {
  const { storage_key, default_branch: defaultBranch, is_empty, branch_count: known } = repository
  if (is_empty) return null
  try {
    const found = await newestBranches(ctx, storage_key, { count: shownBranches, defaultBranch, known })
    return { newest: found.newest.map(viewTip), head: found.head ? viewTip(found.head) : null }
  } catch (error) {
    if (!(error instanceof GitError) && !isDomainError(error)) throw error
    ctx.log.warn({ err: error, repository: repository.id }, 'branches could not be read')
    return null
  }
}
