import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../handle'
import { appliedMigrations } from '../migrate'
import type { Database } from '../tables'
import { describeSequences, describeTables } from './catalog'
import { exportRows } from './export-rows'
import {
  type BackupHeader,
  backupFormat,
  backupVersion,
  type Line,
  type RowCounts,
  type SequencesLine,
  type TableLine,
} from './format'
import { prepareSession } from './session'

/**
 * Writes a compressed backup of the whole database, as of one moment, to `destination`. Returns the number of
 * rows per table.
 */
export async function exportDatabase(
  db: Db,
  destination: Writable,
  extra: { secretKey?: string } = {},
): Promise<RowCounts> {
  const rows: RowCounts = {}
  await pipeline(exportLines(db, extra, rows), createGzip(), destination)
  return rows
}

/**
 * Yields the text of a backup in pieces, all from one snapshot, and adds the row count of each table to
 * `rows`.
 */
export async function* exportLines(
  db: Db,
  extra: { secretKey?: string } = {},
  rows: RowCounts = {},
): AsyncGenerator<string> {
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    const hash = createHash('sha256')
    for await (const text of exportContent(trx, extra, rows)) {
      hash.update(text)
      yield text
    }
    yield lineOf({ rows, sha256: hash.digest('hex') })
  } finally {
    await trx.rollback().execute()
  }
}

async function* exportContent(
  trx: Transaction<Database>,
  extra: { secretKey?: string },
  rows: RowCounts,
): AsyncGenerator<string> {
  await prepareSession(trx)
  yield lineOf(await describeBackup(trx, extra))
  for (const table of await describeTables(trx)) {
    yield lineOf<TableLine>({ table: table.name, columns: table.columns.map(column => column.name) })
    rows[table.name] = 0
    for await (const page of exportRows(trx, table)) {
      rows[table.name]! += page.length
      yield `${page.join('\n')}\n`
    }
  }
  // Read after the rows, because sequences ignore the snapshot: a later value is safe, while an earlier one
  // could reuse an ID.
  yield lineOf(await readSequences(trx))
}

async function describeBackup(
  trx: Transaction<Database>,
  extra: { secretKey?: string },
): Promise<BackupHeader> {
  const migrations = await appliedMigrations(trx)
  if (migrations.length === 0) throw new Error('there is nothing to back up: the database has no tables yet')
  const createdAt = new Date().toISOString()
  return { format: backupFormat, version: backupVersion, migrations, createdAt, ...extra }
}

async function readSequences(trx: Transaction<Database>): Promise<SequencesLine> {
  const sequences: SequencesLine['sequences'] = {}
  for (const name of await describeSequences(trx)) {
    const { rows } = await sql<{ value: string; called: boolean }>`
      select last_value::text as value, is_called as called from ${sql.id(name)}`.execute(trx)
    sequences[name] = [rows[0]!.value, rows[0]!.called]
  }
  return { sequences }
}

function lineOf<T extends Line>(line: T): string {
  return `${JSON.stringify(line)}\n`
}
