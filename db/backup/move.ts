import type { Db } from '../handle'
import { exportLines } from './export'
import type { RowCounts } from './format'
import { importLines } from './import'
import { countRows, differences } from './row-counts'

/**
 * Copies everything into an empty database, whole or not at all, and gives the number of rows per table.
 * @throws {Error} when the target has rows already, or when the source changed after the copy was taken.
 */
export async function moveDatabase(source: Db, target: Db): Promise<RowCounts> {
  const { rows } = await importLines(target, exportLines(source))
  const tables = Object.keys(rows)
  const wrong = differences(await countRows(source, tables), await countRows(target, tables))
  if (wrong.length > 0) throw new Error(`the source changed during the move: ${wrong.join(', ')}`)
  return rows
}
