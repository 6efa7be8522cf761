import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { GitError } from '@/server/kernel/git/run'
import { keepTagCount } from './change-store'
import { getRepository, type RepositoryWithAccess } from './find'
import { mayAdminister, mayDelete, mayReadCode, pushRefusal } from './policy'
import { viewTip } from './refs/view'
import type { RepositoryHome } from './schema'
import { countRefs, newestBranches } from './storage'
import type { RepositoryRow } from './store'
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
    mayPush: pushRefusal(seen) === null,
    mayAdminister: mayAdminister(seen),
    mayDelete: mayDelete(seen),
  }
}

// Repositories older than the count have none until somebody looks, or pushes.
async function countTags(ctx: ServiceCtx, { repository }: RepositoryWithAccess): Promise<number | null> {
  const { id, storage_key, tag_count, is_empty } = repository
  if (tag_count !== null || is_empty) return tag_count ?? 0
  return await unlessUnreadable(ctx, repository, async () => {
    const count = await countRefs(ctx, storage_key, 'tags')
    await keepTagCount(ctx.db, id, count)
    return count
  })
}

async function tipsOf(
  ctx: ServiceCtx,
  { repository }: RepositoryWithAccess,
): Promise<RepositoryHome['tips']> {
  const { storage_key, default_branch: defaultBranch, is_empty, branch_count: count } = repository
  if (is_empty) return null
  return await unlessUnreadable(ctx, repository, async () => {
    const found = await newestBranches(ctx, storage_key, { limit: shownBranches, defaultBranch, count })
    return { newest: found.newest.map(viewTip), head: found.head ? viewTip(found.head) : null }
  })
}

// A page goes without what git is too busy for, or cannot read.
async function unlessUnreadable<T>(
  { log }: ServiceCtx,
  { id }: RepositoryRow,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof GitError) && !isDomainError(error)) throw error
    log.warn({ err: error, repository: id }, 'refs could not be read for a page')
    return null
  }
}
