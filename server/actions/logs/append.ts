import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { alreadyExists, exhausted, invalid } from '@/server/kernel/errors'
import { announceLog } from './announce'
import { type LogRow, lineOf } from './line'
import { type Chunk, findLog, insertChunks, type Log, lockLog, updateLog } from './store'

/** Consecutive rows of a task's log as sent by a runner. */
export interface LogPart {
  taskId: number
  /** Index of the first row in the log, from 0. */
  index: number
  rows: readonly LogRow[]
  /** Whether these rows complete the log. */
  isLast: boolean
}

const maxRows = 2_000_000_000

/**
 * Appends rows to the log of a task and returns how many rows it then has. Rows that are already stored are
 * skipped; if there is a gap before the first row, nothing is written. Rows beyond the size limit are counted
 * but not stored. Rows for a deleted task are acknowledged without being stored, so that the runner can
 * continue. So are rows for another runner's task, so that a runner cannot tell the two cases apart.
 * @throws {DomainError} invalid for a negative index; alreadyExists for new rows after the end of a complete
 * log; exhausted for too many rows.
 */
export async function appendRows(ctx: ServiceCtx, runnerId: number, part: LogPart): Promise<number> {
  const { taskId, index, rows, isLast } = part
  if (index < 0) throw invalid('the index must not be negative')
  // Checked before the rows are processed.
  const known = await findLog(ctx.db, taskId)
  if (known?.runner_id !== runnerId) return index + rows.length
  const now = ctx.clock.now()
  const lines = rows.map(row => lineOf(row, now))
  const { log, count } = await withTransaction(ctx.db, async trx => {
    const log = await lockLog(trx, taskId)
    if (!log) return { log, count: index + lines.length }
    if (index > log.log_rows) return { log, count: log.log_rows }
    const added = lines.slice(log.log_rows - index)
    if (log.log_sealed_at) {
      if (added.length > 0) throw alreadyExists('the log is already complete')
      return { log, count: log.log_rows }
    }
    const count = log.log_rows + added.length
    if (count > maxRows) throw exhausted('the log has too many rows')
    const kept = withinLimit(log, added, ctx.config.logMaxBytes)
    await insertChunks(trx, chunksOf(log, kept.lines))
    await updateLog(trx, taskId, {
      log_rows: count,
      log_bytes: log.log_bytes + bytesOf(kept.lines),
      log_cut_at: kept.cutAt,
      acknowledged_at: log.acknowledged_at ?? now,
      reported_at: now,
      ...(isLast && { log_sealed_at: now }),
    })
    return { log, count }
  })
  if (log && (count > log.log_rows || isLast)) announceLog(ctx, log)
  return count
}

/** Drops rows beyond the size limit and ends the log with a line that says so. */
function withinLimit(
  log: Log,
  added: Buffer[],
  limitBytes: number,
): { lines: Buffer[]; cutAt: number | null } {
  if (log.log_cut_at !== null) return { lines: [], cutAt: log.log_cut_at }
  let size = log.log_bytes
  const tooMuch = added.findIndex(line => {
    size += line.length
    return size > limitBytes
  })
  if (tooMuch < 0) return { lines: added, cutAt: null }
  const [time] = String(added[tooMuch]?.subarray(0, 40)).split(' ', 1)
  const notice = Buffer.from(
    `${time} The log was truncated here because it reached the limit of ${limitBytes} bytes.\n`,
  )
  return { lines: [...added.slice(0, tooMuch), notice], cutAt: log.log_rows + tooMuch }
}

const maxChunkBytes = 1024 * 1024

function chunksOf({ id, log_rows }: Log, lines: readonly Buffer[]): Chunk[] {
  const chunks: Chunk[] = []
  let [first, size] = [0, 0]
  for (const [at, line] of lines.entries()) {
    size += line.length
    if (at + 1 < lines.length && size + (lines[at + 1]?.length ?? 0) <= maxChunkBytes) continue
    const content = Buffer.concat(lines.slice(first, at + 1))
    chunks.push({ task_id: id, first_row: log_rows + first, row_count: at + 1 - first, content })
    ;[first, size] = [at + 1, 0]
  }
  return chunks
}

const bytesOf = (lines: readonly Buffer[]): number => lines.reduce((sum, { length }) => sum + length, 0)
