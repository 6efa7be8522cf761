import { availableParallelism } from 'node:os'
import { refuseInTransaction } from '@/db/transaction'
import { isAnonymous } from '../caller'
import type { ServiceCtx } from '../ctx'
import { tooBusy } from '../errors'
import { createSharedFairLimit } from '../processes/shared-fair-limit'
import { singleton } from '../singleton'

/** The client on whose behalf Git runs. */
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
 * Runs `work` under the limit of short Git commands, which all server processes of the machine share, with fair
 * shares per client address. Calls must not be nested. Fetches and pushes have separate limits.
 * @throws {DomainError} tooManyRequests if 200 calls are queued, or after 30 seconds in the queue.
 * @throws {Error} inside a database transaction
 */
export async function withGitSlot<T>(
  { caller, remoteAddress, disconnected }: GitClient,
  work: () => Promise<T>,
): Promise<T> {
  refuseInTransaction('waiting for git')
  // The limit depends on the machine's processors, so our server and Next, in the same process, share it.
  const limit = singleton('git-limit', () => createSharedFairLimit('short git', limits, tooBusy))
  return await limit({ address: remoteAddress, isAnonymous: isAnonymous(caller), disconnected }, work)
}
