import type { ActingCtx } from '@/server/kernel/ctx'
import { alreadyExists, conflict, type DomainError, deleted, locked } from '@/server/kernel/errors'
import { diskTroubleOf } from '@/server/kernel/fs/disk-trouble'
import { GitError } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { loadRepositoryById, type RepositoryFor } from '../load'
import { writeCode } from '../policy'
import { type RefTransaction, type RefUpdate, startRefTransaction, updateRefs } from '../push'
import { repositoryPath } from '../storage'
import { findRepositoryById, type RepositoryRow } from '../store'
import { inRefQueue } from './ref-queue'

type Changeable = RepositoryFor<typeof writeCode>

/** How refs are to change, and what the caller gets if they do. */
export interface RefChange<T> {
  updates: readonly RefUpdate[]
  /** Decides, on the repository and the caller's access right before the change, whether it may be made. */
  check?: (current: Changeable) => Promise<void>
  /** A branch that gets another name by these updates. */
  renamed?: { from: string; to: string }
  /** Writes the objects to which the refs will point, and returns about how many bytes they take. */
  write?: () => Promise<number>
  result: T
}

/**
 * Changes refs of a repository, either all or none, and records this like a push by the caller. `plan` reads what the
 * change depends on; changes of one repository are planned and made one after the other.
 * @throws {DomainError} notFound if the repository is deleted concurrently; forbidden without write access to the code;
 * locked if the repository is archived; alreadyExists and conflict if a ref is created or moved concurrently, or cannot
 * be stored alongside another one; tooManyRequests if Git is overloaded; also the errors of `plan`.
 */
export async function changeRefs<T>(
  ctx: ActingCtx,
  id: number,
  plan: (found: Changeable, git: string) => Promise<RefChange<T>>,
): Promise<T> {
  return await inRefQueue(id, () =>
    withGitSlot(ctx, async () => {
      // The caller can have lost access while waiting in the queue.
      const found = await loadChangeable(ctx, id)
      const git = repositoryPath(ctx.config, found.repository.storage_key)
      // Git starts while the change is planned.
      const transaction = startRefTransaction(git)
      try {
        const change = await plan(found, git)
        await make(ctx, id, change, transaction)
        return change.result
      } finally {
        transaction.close()
      }
    }),
  )
}

async function make(
  ctx: ActingCtx,
  id: number,
  { updates, check, renamed, write }: RefChange<unknown>,
  transaction: RefTransaction,
): Promise<void> {
  // Nobody sees the objects until a ref points to them.
  const written = write?.()
  // It can fail before anything waits for it.
  written?.catch(() => undefined)
  try {
    // The repository can have changed while Git read the refs, also through other processes.
    const current = await loadChangeable(ctx, id)
    await check?.(current)
    await updateRefs(ctx, current.repository, updates, { renamed, written, transaction }).catch(
      async error => {
        throw await explained(ctx, current.repository, error)
      },
    )
  } finally {
    await written?.catch(() => undefined)
  }
}

async function loadChangeable(ctx: ActingCtx, id: number): Promise<Changeable> {
  const found = await loadRepositoryById(ctx, id, writeCode)
  const { repository, owner } = found
  if (!repository.archived_at) return found
  throw locked(`${owner.name}/${repository.name} is archived`, { reason: { code: 'archived' } })
}

async function explained(ctx: ActingCtx, repository: RepositoryRow, error: unknown): Promise<unknown> {
  if (!(error instanceof GitError)) return error
  // If the repository was deleted, Git reports the same error as for an unavailable disk.
  if (!(await findRepositoryById(ctx.db, repository.id))) return deleted('repository')
  if (diskTroubleOf(error)) return error
  const [, name] = /cannot lock ref 'refs\/(?:heads|tags)\/([^']+)'/.exec(error.stderr) ?? []
  if (name === undefined) return error
  const [, existing] = /'refs\/(?:heads|tags)\/([^']+)' exists; cannot create/.exec(error.stderr) ?? []
  if (existing !== undefined) {
    return conflict(
      `Git cannot store ${name} alongside ${existing}: one name is a parent directory of the other`,
      { cause: error },
    )
  }
  if (/reference already exists/.test(error.stderr)) {
    return alreadyExists(`${name} already exists`, { cause: error })
  }
  return refMoved(name, error)
}

/** Returns the error for a ref that does not point to the expected object. */
export const refMoved = (name: string, cause?: unknown): DomainError =>
  conflict(`${name} was moved in the meantime: nothing was changed`, {
    reason: { code: 'refMoved', name },
    cause,
  })
