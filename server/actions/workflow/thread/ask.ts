import { join } from 'node:path'
import { refuseInTransaction } from '@/db/transaction'
import { singleton } from '@/server/kernel/singleton'
import type { Operations } from './operations'
import { isTooMuch } from './pauses'
import { type Asking, createReader, type Input, type Output } from './reader'

export { type Asking, isTooMuch }

/** Asks in the name of an account, whoever calls. */
export const askingFor = (asking: Asking, accountId: number): Asking => ({ ...asking, accountId })

/** Asks about what the caller only looks at. */
export const askingToShow = (asking: Asking): Asking => ({ ...asking, isLooking: true })

/**
 * Asks about a workflow in a thread of its own, which does nothing else, so that nobody but other askers waits for what its
 * author wrote. They take turns by account, or by address where nobody has signed in.
 * @throws {DomainError} unprocessable with what is wrong with the workflow, or if reading it takes too much time or memory;
 * tooManyRequests if too many wait, after half a minute, or a while after the asker's last workflow took too much; unavailable
 * if the thread cannot be started, ends by itself or does not get the processor.
 * @throws {Error} inside a database transaction.
 */
export async function askThread<Name extends keyof Operations>(
  asking: Asking,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> {
  refuseInTransaction('reading a workflow')
  // One for all copies of this module: Next has its own.
  const read = singleton('workflow-reader', () =>
    createReader(join(process.cwd(), 'dist/workflow-thread.js')),
  )
  return await read(asking, name, input)
}
