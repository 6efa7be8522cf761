import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { withGitSlot } from '@/server/kernel/git/limit'
import { hasRow, type NewRepository } from './change-store'
import { repositoryWithAccess } from './find'
import { insertNew } from './insert-new'
import type { CreateRepoOption, Repository } from './schema'
import {
  type FirstCommit,
  keepBareRepository,
  makeBareRepository,
  newStorageKey,
  removeBareRepository,
} from './storage'
import { explainRefusal } from './taken'
import { viewRepository } from './view'

interface Beginning {
  defaultBranch: string
  firstCommit: FirstCommit | undefined
}

/**
 * Makes the bare repository on the disk, then its row with all that belongs to it in one transaction.
 * Throws conflict for a name in use, notFound when the owner is gone, tooManyRequests when git has too much to do; nothing
 * stays on the disk then.
 */
export async function saveNew(
  ctx: UserCtx,
  owner: Account,
  input: CreateRepoOption,
  { defaultBranch, firstCommit }: Beginning,
): Promise<Repository> {
  const storageKey = newStorageKey()
  const objectFormat = input.object_format_name || 'sha1'
  const place = { storageKey, objectFormat, defaultBranch, firstCommit } as const
  const { sizeKib, branchCount } = await withGitSlot(ctx, () => makeBareRepository(ctx.config, place))
  const now = ctx.clock.now()
  const row: NewRepository = {
    owner_id: owner.id,
    name: input.name,
    description: input.description ?? '',
    is_private: input.private ?? false,
    is_template: input.template ?? false,
    is_empty: firstCommit === undefined,
    default_branch: defaultBranch,
    object_format: objectFormat,
    storage_key: storageKey,
    size_kib: sizeKib,
    branch_count: branchCount,
    tag_count: 0,
    created_at: now,
    updated_at: now,
    pushed_at: firstCommit ? now : null,
  }
  const repository = await insertNew(ctx, owner, row).catch(async error => {
    await discard(ctx, storageKey)
    throw explainRefusal(error, input.name, 'create')
  })
  await keepBareRepository(ctx.config, storageKey)
  return viewRepository(ctx, await repositoryWithAccess(ctx, repository, owner))
}

// A commit whose answer got lost may have happened: what has a row stays. The sweep sees to what cannot be decided now.
async function discard(ctx: UserCtx, storageKey: string): Promise<void> {
  try {
    if (!(await hasRow(ctx.db, storageKey))) await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.warn({ err: error, storageKey }, 'a new repository was refused and is left to the sweep')
  }
}
