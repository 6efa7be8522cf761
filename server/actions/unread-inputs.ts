import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import type { Start } from './condition'
import { findStart, storeInputs } from './store'
import type { Json } from './workflow/expressions'
import { inputTexts } from './workflow/input-texts'
import { type Asking, askingFor, askThread } from './workflow/thread/ask'

/**
 * Thrown by work in a transaction that needs the inputs of a run, which programs of before version 0033 of the database did
 * not store: reading them from its workflow takes too long there.
 */
export class UnreadInputs extends Error {
  override readonly name = 'UnreadInputs'
}

/**
 * Does work in a transaction of its own that may need the inputs of a run: if they are not stored yet, they are read outside
 * of it, and the work is done again. Where the workflow cannot be read anymore they are taken as texts, so that its run can end.
 * @throws {DomainError} as `askThread` except unprocessable, and what the work throws.
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
