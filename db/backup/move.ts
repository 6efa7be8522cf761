import type { Db } from '../handle'
import { exportLines } from './export'
import type { RowCounts } from './format'
import { importLines } from './import'
import { countRows, differences } from './row-counts'

/**
 * Copies all data into an empty database in one transaction. Returns the number of rows per table.
 * @throws {Error} if the target already contains rows, or if the source changed after it was copied.
 */
export async function moveDatabase(source: Db, target: Db): Promise<RowCounts> {
  const { rows } = await importLines(target, exportLines(source))
  const tables = Object.keys(rows)
  const wrong = differences(await countRows(source, tables), await countRows(target, tables))
  if (wrong.length > 0) throw new Error(`the source database changed during the move: ${wrong.join(', ')}`)
  return rows
}
