import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { checkBranchName } from './branch-name'
import { changeOf } from './change'
import { freeName, lockOwner, lockRepository, redirectName, updateRepository } from './change-store'
import { getRepository, seeRepository } from './find'
import { findRef, setHead } from './git'
import { checkRepositoryName } from './name'
import { requireAdminister, requirePrivateScope } from './policy'
import type { EditRepoOption, Repository } from './schema'
import type { RepositoryRow } from './store'
import { explainRefusal } from './taken'
import { viewRepository } from './view'

/**
 * Changes what was given of a repository; its old name goes on leading to it.
 * Throws notFound, moved after a rename, forbidden for who does not administer it, unprocessable for a name that
 * cannot be or a default branch that is not there, conflict for a name in use.
 */
export async function editRepository(ctx: UserCtx, input: EditRepoOption): Promise<Repository> {
  const seen = await getRepository(ctx, input)
  requireAdminister(seen)
  requirePrivateScope(ctx.caller, input.private)
  if (input.name) checkRepositoryName(input.name)
  if (input.default_branch) checkBranchName(input.default_branch)
  const changed = await save(ctx, seen.repository, input).catch(async error => {
    if (input.default_branch) await restoreHead(ctx, seen.repository)
    throw explainRefusal(error)
  })
  return viewRepository(ctx, await seeRepository(ctx, changed, seen.owner))
}

async function requireBranch(ctx: UserCtx, repository: RepositoryRow, branch: string): Promise<void> {
  if (repository.is_empty) return
  if (await findRef(ctx.config, repository.storage_key, 'heads', branch)) return
  throw unprocessable(`branch does not exist [name: ${branch}]: push it first`, { field: 'default_branch' })
}

function save(ctx: UserCtx, { id, owner_id }: RepositoryRow, input: EditRepoOption): Promise<RepositoryRow> {
  return withTransaction(ctx.db, async trx => {
    if (input.private !== undefined) await lockOwner(trx, owner_id)
    const current = await lockRepository(trx, id)
    if (!current) throw notFound()
    const change = changeOf(current, input, ctx.clock.now())
    const changed = Object.keys(change).sort()
    if (changed.length === 0) return current
    if (change.default_branch) await requireBranch(ctx, current, change.default_branch)
    if (change.name !== undefined) await leadOn(trx, current, change.name)
    const repository = await updateRepository(trx, id, { ...change, updated_at: ctx.clock.now() })
    await recordEvent(ctx, trx, {
      kind: 'repository.edited',
      ownerId: owner_id,
      repositoryId: id,
      facts: { name: repository.name, formerName: current.name, changed: changed.join(' ') },
    })
    // Last and while the row is locked, as the disk cannot be rolled back.
    if (change.default_branch) await setHead(ctx.config, repository.storage_key, change.default_branch)
    return repository
  })
}

// It may have been set before the change failed. What cannot be put right now is so after the next push.
async function restoreHead(ctx: UserCtx, { id }: RepositoryRow): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const current = await lockRepository(trx, id)
    if (current) await setHead(ctx.config, current.storage_key, current.default_branch)
  }).catch(error => ctx.log.warn({ err: error, repository: id }, 'HEAD may not be the default branch'))
}

// A name that only changed its case is the same name.
async function leadOn(trx: Transaction<Database>, current: RepositoryRow, name: string): Promise<void> {
  if (current.name.toLowerCase() === name.toLowerCase()) return
  await freeName(trx, current.owner_id, name)
  await redirectName(trx, current)
}
