import { pushRefusal } from '@/server/access'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { GitError } from '@/server/kernel/git/run'
import { wireTime } from '@/server/kernel/wire'
import { getRepository, type RepositoryWithAccess } from './load'
import {
  mayAdminister,
  mayDelete,
  mayReadActions,
  mayReadCode,
  mayReadReleases,
  mayWriteReleases,
} from './policy'
import type { RepoPath, RepositoryHome } from './schema'
import { offSinceTransfer, readSettings } from './settings'
import { countRefs } from './storage'
import type { RepositoryRow } from './store'
import { keepTagCount } from './store'
import { viewPending } from './transfer/pending'
import { viewRepository } from './view'

/**
 * Returns the data shown on every page of a repository, such as its counts and the viewer's permissions. Runs
 * `git` only if the repository's tags have never been counted.
 * @throws {DomainError} notFound; moved after a rename.
 */
export async function showHome(ctx: ServiceCtx, path: RepoPath): Promise<RepositoryHome> {
  return await viewHome(ctx, await getRepository(ctx, path))
}

/**
 * Returns the data shown on every page of a repository that is already loaded. Runs `git` only if the
 * repository's tags have never been counted.
 */
export async function viewHome(ctx: ServiceCtx, found: RepositoryWithAccess): Promise<RepositoryHome> {
  const mayRead = mayReadCode(found)
  return {
    repository: viewRepository(ctx, found),
    branches: mayRead ? found.repository.branch_count : 0,
    tags: mayRead ? await countTags(ctx, found) : 0,
    releases: mayReadReleases(found) ? found.repository.release_count : null,
    actions: mayReadActions(found) ? found.repository.run_count : null,
    may_release: mayWriteReleases(found) && found.repository.archived_at === null,
    may_push: pushRefusal(found) === null,
    may_administer: mayAdminister(found),
    may_delete: mayDelete(found),
    workflows_off: mayReadActions(found) ? viewWorkflowsOff(found) : null,
    transfer: await viewPending(ctx, found),
  }
}

function viewWorkflowsOff(found: RepositoryWithAccess): RepositoryHome['workflows_off'] {
  const { settings } = found.repository
  if (readSettings(settings).has_actions) return null
  const since = offSinceTransfer(settings)
  return { since: since && wireTime(since), may_turn_on: since ? mayDelete(found) : mayAdminister(found) }
}

// The tag count is null until a page view or a push stores it for the first time.
async function countTags(ctx: ServiceCtx, { repository }: RepositoryWithAccess): Promise<number | null> {
  const { id, storage_key, tag_count, is_empty } = repository
  if (tag_count !== null || is_empty) return tag_count ?? 0
  return await unlessUnreadable(ctx, repository, async () => {
    const count = await countRefs(ctx, storage_key, 'tags')
    await keepTagCount(ctx.db, id, count)
    return count
  })
}

/** Returns null if Git cannot read something for a page or is too busy, so that the page omits it instead of failing. */
export async function unlessUnreadable<T>(
  { log }: ServiceCtx,
  { id }: RepositoryRow,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof GitError) && !isDomainError(error)) throw error
    log.warn({ err: error, repository: id }, 'Git could not read something for a page')
    return null
  }
}
