import type { LogIndexEntry } from '@/db/tables/workflow-jobs'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { compress } from '@/server/kernel/gzip'
import { defineJob } from '@/server/kernel/jobs'
import { newObjectKey } from '@/server/kernel/storage/key'
import { claimObject, holdObject } from '@/server/kernel/storage/unused'
import {
  deleteChunks,
  findLog,
  type Log,
  lockLog,
  readableRows,
  selectChunks,
  selectCompleteLogs,
  updateLog,
} from './store'

const silentMs = 60_000
// So many failures mean that the storage is unavailable.
const maxFailed = 1000

/**
 * Moves complete logs from the database to the storage. A log that its runner never completed counts as
 * complete once its task has ended and nothing was reported about it for a minute.
 */
export const storeLogsJob = defineJob({
  name: 'actions.storeLogs',
  async run(ctx, signal) {
    const silentSince = new Date(ctx.clock.now().getTime() - silentMs)
    const failed = new Set<number>()
    let stored = 0
    for (;;) {
      const tasks = await selectCompleteLogs(ctx.db, silentSince, [...failed])
      for (const taskId of tasks) {
        if (signal.aborted) break
        try {
          await storeLog(ctx, taskId)
          stored++
        } catch (error) {
          // A log that cannot be moved must not delay the others.
          ctx.log.warn({ err: error, taskId }, 'could not move a log to the storage')
          failed.add(taskId)
        }
      }
      if (tasks.length === 0 || failed.size >= maxFailed || signal.aborted)
        return { stored, failed: failed.size }
    }
  },
})

async function storeLog(ctx: ServiceCtx, taskId: number): Promise<void> {
  const log = await seal(ctx, taskId)
  if (!log || log.storage_key !== null) return
  const key = newObjectKey()
  const hold = await holdObject(ctx, key)
  try {
    const index: LogIndexEntry[] = []
    await ctx.storage.put(key, compressed(ctx, log, index), { signal: hold.signal })
    await withTransaction(ctx.db, async trx => {
      const locked = await lockLog(trx, taskId)
      if (!locked || locked.storage_key !== null) return
      await claimObject(trx, key)
      await updateLog(trx, taskId, { storage_key: key, log_index: JSON.stringify(index) })
      await deleteChunks(trx, taskId)
    })
  } finally {
    hold.release()
  }
}

/** Seals a log, so that no more rows can be added, and returns it. */
async function seal(ctx: ServiceCtx, taskId: number): Promise<Log | undefined> {
  return await withTransaction(ctx.db, async trx => {
    const log = await lockLog(trx, taskId)
    if (!log || log.log_sealed_at) return log
    await updateLog(trx, taskId, { log_sealed_at: ctx.clock.now() })
    return await findLog(trx, taskId)
  })
}

const member = { rows: 1000, bytes: 1024 * 1024 }

/**
 * Compresses a log in gzip members. Adds the row and byte offset where each member starts, and those of the
 * end of the log, to the index.
 */
async function* compressed(ctx: ServiceCtx, log: Log, index: LogIndexEntry[]): AsyncGenerator<Buffer> {
  const end = readableRows(log)
  let [row, byte, rows, size] = [0, 0, 0, 0]
  let gathered: Buffer[] = []
  const pack = async (): Promise<Buffer> => {
    const packed = await compress(Buffer.concat(gathered))
    index.push({ row, byte })
    row += rows
    byte += packed.length
    ;[gathered, rows, size] = [[], 0, 0]
    return packed
  }
  while (row + rows < end) {
    const chunks = await selectChunks(ctx.db, log.id, row + rows, end)
    if (chunks.length === 0) throw new Error('rows of a log are missing')
    for (const { row_count, content } of chunks) {
      gathered.push(content)
      rows += row_count
      size += content.length
      if (rows >= member.rows || size >= member.bytes) yield await pack()
    }
  }
  if (rows > 0) yield await pack()
  index.push({ row, byte })
}
