import { durableConfig } from '@/server/kernel/git/environment'
import { bytesForGit } from '@/server/kernel/git/ref-text'
import { GitError } from '@/server/kernel/git/run'
import { startWaiting } from '@/server/kernel/git/waiting'
import type { RefUpdate } from './ref-update'
import type { Outcome } from './spool'

// Another process can be moving the ref; by default, Git would give up waiting after 100 milliseconds.
const settings = {
  ...durableConfig,
  'core.filesRefLockTimeout': '5000',
  'core.packedRefsTimeout': '5000',
}

/** What a transaction has changed, and why it failed. */
export interface RefResult {
  outcome: Outcome
  failure?: unknown
}

/** A Git command that waits for changes of refs. */
export interface RefTransaction {
  /** Makes all changes or none, once the objects are written to which the refs will point. */
  commit(updates: readonly RefUpdate[], written: Promise<unknown>): Promise<RefResult>
  /** Ends the command if there is nothing to change. */
  close(): Promise<void>
}

/** Starts one Git command that changes refs of a repository as soon as the changes are known. */
export function startRefTransaction(repository: string): RefTransaction {
  const git = startWaiting(['update-ref', '-z', '--stdin'], { repository, settings })
  return {
    async commit(updates, written) {
      try {
        await written
      } catch (failure) {
        await git.close()
        return { outcome: undefined, failure }
      }
      try {
        await git.finish([bytesForGit(commands(updates))])
        return { outcome: { done: [...updates] } }
      } catch (failure) {
        // If Git ended by itself before it had prepared the transaction, it changed nothing. After any other
        // failure, the refs show what was changed.
        const didNothing =
          failure instanceof GitError &&
          failure.exitCode !== undefined &&
          !git.printed().includes('prepare: ok')
        return { outcome: didNothing ? undefined : { wanted: [...updates] }, failure }
      }
    },
    close: () => git.close(),
  }
}

// Updates a symbolic ref itself, not the ref to which it points.
const commands = (updates: readonly RefUpdate[]): string =>
  [
    'start',
    ...updates.flatMap(({ ref, before, after }) => ['option no-deref', `update ${ref}`, after, before]),
    'prepare',
    'commit',
  ]
    .map(word => `${word}\0`)
    .join('')
