import { availableParallelism } from 'node:os'
import { refuseInTransaction } from '@/db/transaction'
import { isAnonymous } from '../caller'
import type { ServiceCtx } from '../ctx'
import { tooBusy } from '../errors'
import { createFairLimit } from '../fair-limit'
import { singleton } from '../singleton'

/** On whose behalf git runs. */
export type GitClient = Pick<ServiceCtx, 'caller' | 'remoteAddress' | 'disconnected'>

const processors = availableParallelism()

const limits = {
  concurrency: 2 * processors,
  maxQueue: 200,
  timeoutMs: 30_000,
  address: processors,
  anonymousAddress: Math.ceil(processors / 2),
  anonymous: Math.ceil(1.5 * processors),
}

/**
 * Runs `work` under the process-wide limit on short git commands, with fair shares by client address. Not reentrant.
 * Fetches and pushes have a limit of their own.
 * @throws {DomainError} tooManyRequests when 200 are queued, or after 30 seconds in the queue.
 * @throws {Error} inside a database transaction.
 */
export async function withGitSlot<T>(
  { caller, remoteAddress, disconnected }: GitClient,
  work: () => Promise<T>,
): Promise<T> {
  refuseInTransaction('waiting for git')
  // The processors are the machine's: several services in one process, as Next's and ours, share them.
  const limit = singleton('git-limit', () => createFairLimit(limits, tooBusy))
  return await limit({ address: remoteAddress, isAnonymous: isAnonymous(caller), disconnected }, work)
}
