import type { ServiceCtx } from '@/server/kernel/ctx'
import { getJobLog } from '../logs/get'
import { readRows } from '../logs/read'
import { readableRows } from '../logs/store'
import type { LogRows, LogRowsInput } from './schema'

/**
 * Reads rows of a job's log.
 * @throws {DomainError} as `getJobLog`.
 */
export async function showLogRows(ctx: ServiceCtx, input: LogRowsInput): Promise<LogRows> {
  const { log } = await getJobLog(ctx, input)
  const rows = await readRows(ctx, log, input)
  return { rows, total: readableRows(log), is_complete: log.log_sealed_at !== null }
}
