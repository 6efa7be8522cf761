import { availableParallelism } from 'node:os'
import { refuseInTransaction } from '@/db/transaction'
import type { ServiceCtx } from '../ctx'
import { tooBusy } from '../errors'
import { createFairLimit } from '../fair-limit'
import { singleton } from '../singleton'

/** Who waits for what git says. */
export type GitClient = Pick<ServiceCtx, 'caller' | 'remoteAddress' | 'gone'>

const processors = availableParallelism()

const limits = {
  atOnce: 2 * processors,
  waiting: 200,
  patienceMs: 30_000,
  address: processors,
  anonymousAddress: Math.ceil(processors / 2),
  anonymous: Math.ceil(1.5 * processors),
}

/**
 * Does work that starts short git commands for somebody who waits for the answer, in line with all such work of this
 * process and shared out by address. Not for what is in line already, nor for transfers and what follows them. Throws
 * tooManyRequests, and inside a database transaction.
 */
export async function withGitSlot<T>(
  { caller, remoteAddress, gone }: GitClient,
  work: () => Promise<T>,
): Promise<T> {
  refuseInTransaction('waiting for git')
  const limit = singleton('git-limit', () => createFairLimit(limits, tooBusy))
  return await limit({ address: remoteAddress, isAnonymous: caller.kind === 'anonymous', gone }, work)
}
