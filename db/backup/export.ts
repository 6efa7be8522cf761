import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
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

interface ExportOptions {
  secretKey?: string | undefined
  /** Runs first, in the transaction that has the snapshot. */
  inSnapshot?: (trx: Transaction<Database>) => Promise<void>
  /** Called with the number of rows of each page. */
  onRows?: (count: number) => void
}

/** Returns a compressed backup of the whole database, as of one moment. */
export function exportDatabase(db: Db, options: ExportOptions = {}): Readable {
  // A failure destroys the stream with its error.
  return pipeline(exportLines(db, options), createGzip(), () => undefined)
}

/** Yields the text of a backup in pieces, all from one snapshot. */
export async function* exportLines(db: Db, options: ExportOptions = {}): AsyncGenerator<string> {
  const trx = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute()
  try {
    await prepareSession(trx)
    await options.inSnapshot?.(trx)
    const hash = createHash('sha256')
    const rows: RowCounts = {}
    for await (const text of exportContent(trx, options, rows)) {
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
  { secretKey, onRows }: ExportOptions,
  rows: RowCounts,
): AsyncGenerator<string> {
  yield lineOf(await describeBackup(trx, secretKey))
  for (const table of await describeTables(trx)) {
    yield lineOf<TableLine>({ table: table.name, columns: table.columns.map(column => column.name) })
    rows[table.name] = 0
    for await (const page of exportRows(trx, table)) {
      rows[table.name]! += page.length
      onRows?.(page.length)
      yield `${page.join('\n')}\n`
    }
  }
  // Read after the rows, because sequences ignore the snapshot: a later value is safe, while an earlier one
  // could reuse an ID.
  yield lineOf(await readSequences(trx))
}

async function describeBackup(
  trx: Transaction<Database>,
  secretKey: string | undefined,
): Promise<BackupHeader> {
  const migrations = await appliedMigrations(trx)
  if (migrations.length === 0) throw new Error('there is nothing to back up: the database has no tables yet')
  const createdAt = new Date().toISOString()
  return {
    format: backupFormat,
    version: backupVersion,
    migrations,
    createdAt,
    ...(secretKey && { secretKey }),
  }
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
