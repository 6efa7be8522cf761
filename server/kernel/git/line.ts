import { availableParallelism } from 'node:os'
import { refuseInTransaction } from '@/db/transaction'
import { processWide } from '../process-wide'
import { createTurnstile, type Turnstile } from '../turnstile'

const limits = { atOnce: 2 * availableParallelism(), waiting: 200 }

/**
 * Does work that starts short git commands for somebody who waits for the answer, in line with all such work of this
 * process. Not for what is in line already, nor for transfers and what follows them. Throws tooManyRequests, and inside a
 * database transaction.
 */
export const inGitLine: Turnstile = async work => {
  refuseInTransaction('waiting for git')
  return await processWide('git-line', () => createTurnstile(limits))(work)
}
