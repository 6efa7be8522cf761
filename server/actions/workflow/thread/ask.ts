import { join } from 'node:path'
import { refuseInTransaction } from '@/db/transaction'
import { singleton } from '@/server/kernel/singleton'
import type { Operations } from './operations'
import { isTooMuch } from './pauses'
import { type Asking, createReader, type Input, type Output } from './reader'

export { type Asking, isTooMuch }

/** Reads workflows on behalf of an account instead of the caller. */
export const askingFor = (asking: Asking, accountId: number): Asking => ({ ...asking, accountId })

/** Reads workflows that the caller only views. */
export const askingToShow = (asking: Asking): Asking => ({ ...asking, isLooking: true })

/**
 * Sends a question about a workflow to a dedicated thread, so that a workflow that is slow to read delays
 * only other questions. Questions take turns by account, or by address for anonymous callers.
 * @throws {DomainError} unprocessable with the mistake in the workflow, or if reading it takes too much time
 * or memory; tooManyRequests if too many questions wait, after half a minute of waiting, or for a while after
 * a workflow of the same caller took too much; unavailable if the thread cannot start, exits unexpectedly or
 * does not get CPU time.
 * @throws {Error} within a database transaction.
 */
export async function askThread<Name extends keyof Operations>(
  asking: Asking,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  refuseInTransaction('reading a workflow')
  // Shared by all copies of this module, because Next.js bundles its own.
  const read = singleton('workflow-reader', () =>
    createReader(join(process.cwd(), 'dist/workflow-thread.js')),
  )
  return await read(asking, name, input)
}
