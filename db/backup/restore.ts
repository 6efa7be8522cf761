import { sql, type Transaction } from 'kysely'
import type { Database } from '../tables'
import { describeSequences, type TableShape } from './catalog'
import { type BackupHeader, damaged, type Row, type SequencesLine, type TableLine } from './format'
import { TableLoader } from './load-rows'
import type { BackupReader } from './read-backup'

/** Puts a backup into the tables as it is read; what it holds must be exactly what the tables ask for. */
export class Restore implements BackupReader {
  private backupHeader: BackupHeader | undefined
  private loader: TableLoader | undefined
  private readonly missing: Map<string, TableShape>
  private values: SequencesLine['sequences'] | undefined

  constructor(
    private readonly trx: Transaction<Database>,
    tables: TableShape[],
    private readonly migrations: string[],
    private readonly onHeader?: (header: BackupHeader) => Promise<void>,
  ) {
    this.missing = new Map(tables.map(table => [table.name, table]))
  }

  async header(header: BackupHeader): Promise<void> {
    refuseOtherMigrations(header.migrations, this.migrations)
    await this.onHeader?.(header)
    this.backupHeader = header
  }

  async table(line: TableLine): Promise<void> {
    await this.loader?.flush()
    const table = this.missing.get(line.table)
    if (!table) throw damaged(`table ${line.table} is unknown or comes twice`)
    this.missing.delete(line.table)
    this.loader = new TableLoader(this.trx, table, line)
  }

  async row(row: Row): Promise<void> {
    if (!this.loader) throw damaged('a row belongs to no table')
    await this.loader.add(row)
  }

  async sequences(line: SequencesLine): Promise<void> {
    await this.loader?.flush()
    this.loader = undefined
    this.values = line.sequences
  }

  /** @throws {Error} when a part of the backup never came. */
  complete(): BackupHeader {
    const [table] = this.missing.keys()
    if (table) throw damaged(`table ${table} is missing`)
    if (!this.values) throw damaged('the sequences are missing')
    if (!this.backupHeader) throw damaged('the header is missing')
    return this.backupHeader
  }

  /** Makes new ids go on where the backup ended. A rollback does not undo this, so it comes after every check. */
  async setSequences(): Promise<void> {
    for (const name of await describeSequences(this.trx)) {
      const state = this.values?.[name]
      if (!state) throw damaged(`sequence ${name} is missing`)
      const [value, called] = state
      await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${called})`.execute(this.trx)
    }
  }
}

function refuseOtherMigrations(backup: string[], here: string[]): void {
  const unknown = backup.filter(name => !here.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `the backup is of a newer version: it has migrations unknown here (${unknown.join(', ')})`,
    )
  }
  const missing = here.filter(name => !backup.includes(name))
  if (missing.length === 0) return
  throw new Error(
    `the backup is of an older version, without ${missing.join(', ')}: ` +
      'restore it with the version that made it, then start this one',
  )
}
