import { sql, type Transaction } from 'kysely'
import type { Database } from '../tables'
import { describeSequences, type TableShape } from './catalog'
import { type BackupHeader, damaged, type Row, type SequencesLine, type TableLine } from './format'
import { TableLoader } from './load-rows'
import type { BackupReader } from './read-backup'

/**
 * Inserts the parts of a backup as they are read. The backup must contain exactly the tables and columns of
 * the database.
 */
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
    if (!table) throw damaged(`table ${line.table} is unknown or appears twice`)
    this.missing.delete(line.table)
    this.loader = new TableLoader(this.trx, table, line)
  }

  async row(row: Row): Promise<void> {
    if (!this.loader) throw damaged('a row does not belong to any table')
    await this.loader.add(row)
  }

  async sequences(line: SequencesLine): Promise<void> {
    await this.loader?.flush()
    this.loader = undefined
    this.values = line.sequences
  }

  /**
   * Returns the header of a backup that was read to its end.
   * @throws {Error} if a part of the backup is missing.
   */
  complete(): BackupHeader {
    const [table] = this.missing.keys()
    if (table) throw damaged(`table ${table} is missing`)
    if (!this.values) throw damaged('the sequences are missing')
    if (!this.backupHeader) throw damaged('the header is missing')
    return this.backupHeader
  }

  /**
   * Sets the sequences so that new IDs continue where the backup ended. A rollback does not undo this, so it
   * runs after every check.
   */
  async setSequences(): Promise<void> {
    for (const name of await describeSequences(this.trx)) {
      const state = this.values?.[name]
      if (!state) throw damaged(`sequence ${name} is missing`)
      const [value, called] = state
      await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${called})`.execute(this.trx)
    }
  }
}

/** @throws {Error} unless the backup and this program have the same migrations. */
export function refuseOtherMigrations(backup: string[], here: string[]): void {
  const unknown = backup.filter(name => !here.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `the backup is from a newer version: it has migrations that this program does not recognize (${unknown.join(', ')})`,
    )
  }
  const missing = here.filter(name => !backup.includes(name))
  if (missing.length === 0) return
  throw new Error(
    `the backup is from an older version and lacks the migrations ${missing.join(', ')}: ` +
      'restore it with the version that created it, then start this version',
  )
}
