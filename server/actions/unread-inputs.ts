import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { Start } from './condition'
import { findStart, storeInputs } from './store'
import type { Json } from './workflow/expressions'
import { inputTexts } from './workflow/input-texts'
import { type Asking, askingFor, askThread } from './workflow/thread/ask'

/**
 * Thrown within a transaction if the run's inputs are needed but not stored, because the run was created
 * before database version 0033. Parsing the workflow for them would take too long within a transaction.
 */
export class UnreadInputs extends Error {
  override readonly name = 'UnreadInputs'
}

/**
 * Runs a transaction that may need the inputs of a run. If they are not stored yet, reads and stores them
 * outside the transaction and then runs it again. If the workflow cannot be read, the inputs are taken as
 * strings, so that its run can end.
 * @throws {DomainError} as `askThread`, except unprocessable; and everything that `work` throws.
 */
export async function withInputs<T>(
  ctx: ServiceCtx,
  run: { id: number; owner_id: number },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnreadInputs)) throw error
  }
  const { document, payload } = await findStart(ctx.db, run.id)
  await storeInputs(ctx.db, run.id, await readInputs(askingFor(ctx, run.owner_id), { document, payload }))
  return await work()
}

async function readInputs(
  asking: Asking,
  start: Pick<Start, 'payload'> & { document: string },
): Promise<Record<string, Json>> {
  try {
    return await askThread(asking, 'typedInputs', start)
  } catch (error) {
    if (isDomainError(error) && error.kind === 'unprocessable') return inputTexts(start.payload)
    throw error
  }
}
