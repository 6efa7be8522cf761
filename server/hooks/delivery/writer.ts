import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '@/db/unavailable'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Result } from './outcome'
import { writeOutcome, writeResults } from './results'

/**
 * Writes delivery results in the background, batching those that arrive during a write or shortly after it.
 */
export interface ResultWriter {
  add(result: Result): void
  /** Returns the number of results that are not written yet. */
  waiting(): number
  /** Resolves when all results are written, or when the database is unreachable. */
  end(): Promise<void>
}

const maxBatch = 200
const retryMs = 1_000
// A pause after a batch that was not full.
const gatherMs = 10

export function createResultWriter(ctx: ServiceCtx): ResultWriter {
  let waiting: Result[] = []
  let writing: Promise<void> | undefined
  let beingWritten = 0
  let isEnding = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxBatch)
      beingWritten = batch.length
      const isAway = await writeBatch(ctx, batch).then(() => false, isUnavailable)
      beingWritten = 0
      if (!isAway) {
        if (batch.length < maxBatch && !isEnding) await sleep(gatherMs)
        continue
      }
      if (isEnding) break
      waiting = [...batch, ...waiting]
      await sleep(retryMs)
    }
    // Cleared in the same tick, because results that are added from here on need another run.
    writing = undefined
  }

  return {
    add(result) {
      waiting.push(result)
      writing ??= writeAll()
    },
    waiting: () => waiting.length + beingWritten,
    async end() {
      isEnding = true
      await writing
    },
  }
}

// A result that cannot be written must neither hold up other results nor cause endless redelivery.
async function writeBatch(ctx: ServiceCtx, batch: readonly Result[]): Promise<void> {
  try {
    await writeResults(ctx, batch)
  } catch (error) {
    if (isUnavailable(error)) throw error
    const [first, ...others] = batch
    if (first && others.length === 0) {
      ctx.log.error(
        { err: error, delivery: first.due.uuid },
        'the result of a webhook delivery could not be saved',
      )
      await writeOutcome(ctx, first)
      return
    }
    for (const result of batch) await writeBatch(ctx, [result])
  }
}
