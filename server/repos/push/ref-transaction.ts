import { bytesForGit } from '@/server/kernel/git/ref-text'
import { updateRefPool } from '@/server/kernel/git/update-ref'
import type { RefUpdate } from './ref-update'
import type { Outcome } from './spool'

/** What a transaction has changed, and why it failed. */
export interface RefResult {
  outcome: Outcome
  failure?: unknown
}

/** A Git command that waits for changes of refs. */
export interface RefTransaction {
  /** Makes all changes or none, once the objects are written to which the refs will point, if they are new. */
  commit(updates: readonly RefUpdate[], written?: Promise<unknown>): Promise<RefResult>
  /** Leaves the command to the next transaction of the repository. */
  close(): void
}

// A refusal that took longer came from a lock that another process holds.
const maxRetriedMs = 1_000

/** Gets a Git command that changes refs of a repository as soon as the changes are known. */
export function startRefTransaction(repository: string): RefTransaction {
  const pool = updateRefPool()
  let command = pool.use(repository)
  const renew = (): void => {
    pool.keep(command)
    command = pool.use(repository, { isNew: true })
  }
  return {
    async commit(updates, written) {
      try {
        await written
      } catch (failure) {
        return { outcome: undefined, failure }
      }
      // A reused command can know objects that have been pruned since.
      if (!written && command.isReused) renew()
      const begun = performance.now()
      const { isReused, isUsable } = command
      let end = await command.run(commands(updates))
      const isQuick = performance.now() - begun < maxRetriedMs
      // The command had ended, or a reused one may have refused the change because of something that it remembered.
      if (end.failure && !end.mayHaveChanged && isQuick && (isReused || !isUsable)) {
        renew()
        end = await command.run(commands(updates))
      }
      if (!end.failure) return { outcome: { done: [...updates] } }
      // If some may have been made, the refs show which.
      return { outcome: end.mayHaveChanged ? { wanted: [...updates] } : undefined, failure: end.failure }
    },
    close: () => pool.keep(command),
  }
}

// Updates a symbolic ref itself, not the ref to which it points.
const commands = (updates: readonly RefUpdate[]): Buffer =>
  bytesForGit(
    updates
      .flatMap(({ ref, before, after }) => ['option no-deref', `update ${ref}`, after, before])
      .map(word => `${word}\0`)
      .join(''),
  )
